// The program that `gsls conformance` talks with: lines of JSON on the standard input and output, as
// docs/write-a-client.md says.
//
//     mcs -langversion:7 -r:System.Net.Http.dll -r:Mono.Posix.dll -out:conformance.exe \
//       Conformance~/Conformance.cs Runtime/*.cs
//     gsls conformance -- mono conformance.exe
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using GameServerListing;
using Mono.Unix;
using Mono.Unix.Native;

internal static class Conformance
{
    private static readonly string[] Abilities =
    {
        "announce", "list", "find", "watch", "stream", "gzip", "key", "token_file", "tls", "insecure", "ipv6", "sigterm",
        "urls", "keep", "report", "latency", "nearest",
    };

    private static readonly TextWriter Output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    private static readonly object Gate = new object();

    private static KitClock clock;
    private static Announcement announcement;
    private static ServerWatch watch;
    private static ServerList previous;

    private static void Main()
    {
        WarmUp();
        EndAtSignal();
        Say("ready", new Dictionary<string, object>
        {
            ["name"] = "gsls for C# (Mono " + Environment.Version + ")",
            ["can"] = Abilities,
        });
        var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        for (var line = input.ReadLine(); line != null; line = input.ReadLine())
            foreach (var each in Json.MembersOf(line))
                Do(each.Key, each.Value, each.Value as Dictionary<string, object>);
    }

    /// <summary>Mono leaves signals to the system: these are the lines that the README has for it.</summary>
    private static void EndAtSignal()
    {
        var waiting = new Thread(() =>
        {
            new UnixSignal(Signum.SIGTERM).WaitOne();
            Environment.Exit(0);
        });
        waiting.IsBackground = true;
        waiting.Start();
    }

    /// <summary>The first request of a process takes long, and the kit gives requests a short time.</summary>
    private static void WarmUp()
    {
        const string answer = "HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{\"servers\":[]}";
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var reading = Gsls.ListAsync("http://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port);
        using (var client = listener.AcceptTcpClient())
        {
            client.GetStream().Read(new byte[4096], 0, 4096);
            client.GetStream().Write(Encoding.ASCII.GetBytes(answer), 0, answer.Length);
            reading.ContinueWith(_ => _).Wait();
        }
        listener.Stop();
    }

    private static void Do(string what, object value, Dictionary<string, object> asked)
    {
        switch (what)
        {
            case "start":
                var fields = new ServerFields();
                foreach (var field in (Dictionary<string, object>)asked["fields"]) fields[field.Key] = field.Value;
                announcement = Gsls.Announce(Text(asked, "url"), fields, OptionsFor(asked));
                break;
            case "now":
                clock.Set((double)value);
                break;
            case "players":
                announcement.Update(new ServerFields { Players = (int)(double)value });
                Say("did", "players");
                break;
            case "stop":
                StopAsync(asked == null || !false.Equals(asked["keep_id"]));
                break;
            case "list":
                Read(async () => previous = await Gsls.ListAsync(Urls(asked), OptionsFor(asked), previous));
                break;
            case "find":
                Read(() => Gsls.FindAsync(Urls(asked), Text(asked, "query"), OptionsFor(asked)));
                break;
            case "nearest":
                Read(() => Gsls.NearestAsync(Urls(asked), Text(asked, "query"), OptionsFor(asked)));
                break;
            case "report":
                Try(async () =>
                {
                    await Gsls.ReportAsync(
                        Urls(asked), Text(asked, "id"), Text(asked, "reason"), Text(asked, "note"), OptionsFor(asked));
                    Say("reported", true);
                });
                break;
            case "watch":
                watch = Gsls.Watch(
                    Urls(asked), Text(asked, "query"),
                    changes => SayServers(changes.Servers.Values, changes.IsStale), OptionsFor(asked));
                break;
        }
    }

    private static async void StopAsync(bool keepId)
    {
        if (announcement != null) await announcement.StopAsync(keepId);
        if (watch != null) await watch.StopAsync();
        announcement = null;
        watch = null;
        Say("stopped", true);
    }

    private static void Read(Func<Task<ServerList>> read) =>
        Try(async () =>
        {
            var list = await read();
            SayServers(list.Servers, list.IsStale);
        });

    private static async void Try(Func<Task> work)
    {
        try
        {
            await work();
        }
        catch (GslsException error)
        {
            Say("failed", error.Message);
        }
    }

    private static GslsOptions OptionsFor(Dictionary<string, object> asked)
    {
        var options = new GslsOptions
        {
            Key = Text(asked, "key"),
            TokenFile = Text(asked, "token_file"),
            Keep = Text(asked, "keep"),
            Insecure = asked.TryGetValue("insecure", out var insecure) && true.Equals(insecure),
            Log = line => Say("log", line),
        };
        if (asked.TryGetValue("timeout_ms", out var timeout))
            options.Timeout = TimeSpan.FromMilliseconds((double)timeout);
        if (asked.TryGetValue("now", out var now)) options.Clock = clock = new KitClock((double)now);
        return options;
    }

    private static IEnumerable<string> Urls(Dictionary<string, object> asked) =>
        asked.TryGetValue("urls", out var urls)
            ? ((List<object>)urls).Cast<string>()
            : new[] { Text(asked, "url") };

    private static string Text(Dictionary<string, object> asked, string name) =>
        asked.TryGetValue(name, out var value) ? value as string : null;

    private static void SayServers(IEnumerable<ListedServer> servers, bool isStale) =>
        Say("servers", new Dictionary<string, object>
        {
            ["ids"] = servers.Select(server => server.Id),
            ["names"] = servers.Select(server => server.Name),
            ["stale"] = isStale,
        });

    private static void Say(string what, object value) => SayAll(new Dictionary<string, object> { [what] = value });

    private static void SayAll(Dictionary<string, object> line)
    {
        lock (Gate)
        {
            Output.WriteLine(Json.Write(Json.Copy(line)));
            Output.Flush();
        }
    }

    /// <summary>The clock of the kit. One client sleeps by it.</summary>
    private sealed class KitClock : IClock
    {
        private readonly object gate = new object();
        private double nowMs, untilMs;
        private TaskCompletionSource<bool> sleeper;

        public KitClock(double nowMs)
        {
            this.nowMs = nowMs;
        }

        public TimeSpan Now
        {
            get
            {
                lock (gate) return TimeSpan.FromTicks((long)(nowMs * TimeSpan.TicksPerMillisecond));
            }
        }

        public Task Delay(TimeSpan time, CancellationToken cancellation)
        {
            var mine = new TaskCompletionSource<bool>();
            lock (gate)
            {
                sleeper = mine;
                untilMs = Math.Ceiling(nowMs + time.TotalMilliseconds);
                SayWaits();
            }
            // What is measured takes real time.
            var measuring = announcement?.Measuring;
            if (measuring?.IsCompleted == false) measuring.ContinueWith(_ => SayWaits());
            cancellation.Register(() =>
            {
                lock (gate)
                    if (sleeper == mine) sleeper = null;
                mine.TrySetCanceled();
            });
            return mine.Task;
        }

        public void Set(double now)
        {
            TaskCompletionSource<bool> woken = null;
            lock (gate)
            {
                nowMs = now;
                if (sleeper != null && untilMs > nowMs) SayWaits();
                else
                {
                    woken = sleeper;
                    sleeper = null;
                }
            }
            if (woken != null) Task.Run(() => woken.TrySetResult(true));
        }

        private void SayWaits()
        {
            lock (gate)
                if (sleeper != null && announcement?.Measuring.IsCompleted != false)
                    SayAll(new Dictionary<string, object> { ["waits"] = untilMs, ["at"] = nowMs });
        }
    }
}
