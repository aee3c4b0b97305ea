// A server browser without a game: prints what ServerBrowser.cs follows, + a server that is new or has changed, - one that
// has left.
//
//     mcs -r:System.Net.Http.dll -r:System.Runtime.Serialization.dll RunServerBrowser.cs ServerBrowser.cs
//     mono RunServerBrowser.exe http://localhost:53600 "region=eu&players=1..&full=false"
using System;
using System.Text;

static class RunServerBrowser
{
    static int Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        try
        {
            var browser = new ServerBrowser(args.Length > 0 ? args[0] : "", Environment.GetEnvironmentVariable("GSLS_KEY"));
            browser.Follow(args.Length > 1 ? args[1] : "", (servers, changed, removed) =>
            {
                foreach (var id in removed) Console.WriteLine("- " + id);
                foreach (var each in changed)
                    Console.WriteLine("+ " + each.id + " " + each.players + "/" + each.max_players + " " + each.name);
            }).GetAwaiter().GetResult();
            return 0;
        }
        catch (ArgumentException error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }
}
