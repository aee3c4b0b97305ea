// A game server without a game, listed by GameServer.cs. Enter or Ctrl-C ends it; with .NET, SIGTERM too.
//
//     mcs -r:System.Net.Http.dll RunGameServer.cs GameServer.cs
//     mono RunGameServer.exe http://localhost:53600 [token file]
using System;
using System.Threading;

static class RunGameServer
{
    static int Main(string[] args)
    {
        var stop = new CancellationTokenSource();
        try
        {
            var key = Environment.GetEnvironmentVariable("GSLS_KEY");
            var gameServer = new GameServer(args.Length > 0 ? args[0] : "", key, args.Length > 1 ? args[1] : null);
            var listing = gameServer.KeepListed(stop.Token); // without await: the game goes on
            Console.CancelKeyPress += (_, pressed) => { pressed.Cancel = true; stop.Cancel(); };
            AppDomain.CurrentDomain.ProcessExit += (_, __) => { stop.Cancel(); listing.Wait(); };
            if (Console.ReadLine() == null) listing.Wait(); // there is no input, as where a service manager starts it
            stop.Cancel();
            listing.Wait();
            return 0;
        }
        catch (SystemException error)
        {
            Console.Error.WriteLine("GSLS: " + error.Message);
            return 1;
        }
    }
}
