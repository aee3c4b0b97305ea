// A game server without a game, kept listed by the client in clients/csharp, which takes it off the list at the end of
// the process. Enter or Ctrl-C ends it; with .NET up to 9, SIGTERM too. For Mono see the README of the client.
//
//     mcs -langversion:7 -r:System.Net.Http.dll RunGameServer.cs ../clients/csharp/Runtime/*.cs
//     mono RunGameServer.exe http://localhost:53600 [token file]
using System;
using System.Threading;
using GameServerListing;

static class RunGameServer
{
    static int Main(string[] args)
    {
        var fields = new ServerFields
        {
            Host = "eu1.example.com", Name = "Frankfurt 1", Port = 7777, Players = 3, MaxPlayers = 16,
            Map = "de_dust2", Mode = "bomb defusal",
        };
        var options = new GslsOptions
        {
            Key = Environment.GetEnvironmentVariable("GSLS_KEY"),
            TokenFile = args.Length > 1 ? args[1] : null,
        };
        try
        {
            var announcement = Gsls.Announce(args.Length > 0 ? args[0] : "", fields, options);
            var ended = new ManualResetEvent(false);
            Console.CancelKeyPress += (_, pressed) => { pressed.Cancel = true; ended.Set(); };
            // Where a service manager starts it there is no input.
            new Thread(() => { if (Console.ReadLine() != null) ended.Set(); }) { IsBackground = true }.Start();
            ended.WaitOne();
            announcement.Stop();
            return 0;
        }
        catch (ArgumentException error)
        {
            Console.Error.WriteLine("GSLS: " + error.Message);
            return 1;
        }
    }
}
