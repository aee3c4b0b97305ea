// Keeps a game server listed in GSLS. Mono, .NET, or Unity 2021 and later; nothing to install.
//
//     mcs -r:System.Net.Http.dll GameServer.cs && mono GameServer.exe http://localhost:53600
//
// In Unity leave Program out. Call KeepListed in Start() of a MonoBehaviour without awaiting it, and cancel its token
// in OnApplicationQuit(): the game never waits for it.
using System;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

public class GameServer
{
    public string Host = "eu1.example.com", Name = "Frankfurt 1", Ip = "203.0.113.7", Key;
    public int Port = 7777, Players = 3, MaxPlayers = 16;
    readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
    readonly Random random = new Random();

    /// Broadcasts, pings until `stopped` is cancelled, removes. Each ping carries the fields of that moment.
    public async Task KeepListed(string url, CancellationToken stopped)
    {
        string id = null, key = Guid.NewGuid().ToString();
        double interval = 20, pause;
        var failures = 0;
        while (!stopped.IsCancellationRequested)
        {
            var answer = await Send(url + (id == null ? "/broadcast" : "/ping"), FieldsAsJson(id), id == null ? key : null);
            var status = answer == null ? 0 : (int)answer.StatusCode;
            var body = answer == null ? "" : await answer.Content.ReadAsStringAsync();
            var code = ReadText(body, "code");
            if (status == 200)
            {
                id = ReadText(body, "server_id") ?? id;
                failures = 0;
                interval = ReadNumber(answer, "Server-Ping-Interval");
                pause = interval * (0.9 + 0.2 * random.NextDouble());
            }
            else if (code == "unknown_server" || code == "idempotency_key_used")
            {
                id = null; // the entry is gone: broadcast again
                key = Guid.NewGuid().ToString();
                pause = interval * random.NextDouble();
            }
            else if (status == 0 || status == 408 || status == 429 || status >= 500)
            {
                pause = Math.Min(interval, Math.Pow(2, failures)) * (0.5 + 0.5 * random.NextDouble());
                pause = Math.Max(pause, ReadNumber(answer, "Retry-After"));
                failures += 1; // a problem that passes: the same request again, later each time
            }
            else
            {
                Console.Error.WriteLine("GSLS refuses this game server: " + body);
                pause = 300; // a person has to correct something
            }
            try { await Task.Delay(TimeSpan.FromSeconds(pause), stopped); } catch (OperationCanceledException) { }
        }
        if (id != null) await Send(url + "/remove", FieldsAsJson(id), null);
    }

    /// Null without an answer.
    async Task<HttpResponseMessage> Send(string url, string fields, string idempotencyKey)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, url) { Content = new StringContent(fields) };
        if (Key != null) request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + Key);
        if (idempotencyKey != null) request.Headers.Add("Idempotency-Key", idempotencyKey);
        try { return await http.SendAsync(request); }
        catch (HttpRequestException) { return null; }
        catch (OperationCanceledException) { return null; } // it took too long
    }

    string FieldsAsJson(string id) => "{" + (id == null ? "" : $"\"server_id\":{Quote(id)},") +
        $"\"server_host\":{Quote(Host)},\"server_name\":{Quote(Name)},\"server_port\":{Port}," +
        $"\"server_ip\":{Quote(Ip)},\"players\":{Players},\"max_players\":{MaxPlayers}" + "}";

    static string Quote(string text) =>
        "\"" + Regex.Replace(text, "[\\x00-\\x1f\"\\\\]", found => $"\\u{(int)found.Value[0]:x4}") + "\"";

    static string ReadText(string json, string field)
    {
        var found = Regex.Match(json, $"\"{field}\":\"([^\"]*)\"");
        return found.Success ? found.Groups[1].Value : null;
    }

    static int ReadNumber(HttpResponseMessage answer, string header) =>
        answer != null && answer.Headers.TryGetValues(header, out var values) ? int.Parse(string.Concat(values)) : 0;
}

static class Program
{
    static void Main(string[] args)
    {
        var stop = new CancellationTokenSource();
        var gameServer = new GameServer { Key = Environment.GetEnvironmentVariable("GSLS_KEY") };
        var listing = gameServer.KeepListed(args[0], stop.Token);
        Console.ReadLine(); // Enter ends the game
        stop.Cancel();
        listing.Wait();
    }
}
