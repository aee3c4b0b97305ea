// Reads texts with the JSON of the client: each line of the input is the UTF-16 of one in hexadecimal. Answers with the
// text as it was understood, or with a line that says that it is none.
using System;
using System.Text;
using GameServerListing;

internal static class JsonReader
{
    private static void Main()
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var text = new StringBuilder();
            for (var at = 0; at < line.Length; at += 4) text.Append((char)Convert.ToUInt16(line.Substring(at, 4), 16));
            Console.WriteLine(Json.TryRead(text.ToString(), out var value) ? Json.Write(value) : "no JSON");
        }
    }
}
