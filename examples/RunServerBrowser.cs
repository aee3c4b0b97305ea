// A server browser without a game, over the client in clients/csharp. Prints + a server that is new or has changed, and
// - one that has left. Enter ends it.
//
//     mcs -langversion:7 -r:System.Net.Http.dll RunServerBrowser.cs ../clients/csharp/Runtime/*.cs
//     mono RunServerBrowser.exe http://localhost:53600 "region=eu&players=1..&full=false"
using System;
using System.Text;
using System.Threading;
using GameServerListing;

static class RunServerBrowser
{
    static int Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        var options = new GslsOptions { Key = Environment.GetEnvironmentVariable("GSLS_KEY") };
        try
        {
            using (Gsls.Watch(args.Length > 0 ? args[0] : "", args.Length > 1 ? args[1] : "", Print, options))
                if (Console.ReadLine() == null) Thread.Sleep(Timeout.Infinite);
            return 0;
        }
        catch (ArgumentException error)
        {
            Console.Error.WriteLine("GSLS: " + error.Message);
            return 1;
        }
    }

    static void Print(ServerChanges changes)
    {
        foreach (var server in changes.Removed) Console.WriteLine("- " + server.Id);
        foreach (var server in changes.Changed)
            Console.WriteLine("+ " + server.Id + " " + server.Players + "/" + server.MaxPlayers + " " + server.Name);
    }
}
