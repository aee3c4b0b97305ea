// Keeps a game server listed in GSLS. Mono, .NET, or Unity 2021 and later; nothing to install.
//
//     mcs -r:System.Net.Http.dll GameServer.cs && mono GameServer.exe http://localhost:53600 [token file]
//
// In Unity leave Program out. Call KeepListed in Start() of a MonoBehaviour without awaiting it, and cancel `stopped`
// in OnApplicationQuit(): the game never waits for it. With a token file of its own, in a folder that other users
// cannot read, a game server that crashed and starts again keeps its id.
using System;
using System.IO;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

public class GameServer
{
    public string Host = "eu1.example.com", Name = "Frankfurt 1", Key, TokenFile;
    public string Ip = "auto"; // the address that the requests come from; or the public address itself
    public int Port = 7777, Players = 3, MaxPlayers = 16;
    public string Map = "de_dust2", Mode = "bomb defusal"; // optional, as is more: see docs/api.md#details
    readonly HttpClient http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });
    readonly Random random = new Random();
    string token; // proves that the entry is ours: never show or log it

    /// Broadcasts, pings until `stopped` is cancelled, removes. Each ping carries the fields of that moment.
    public async Task KeepListed(string url, CancellationToken stopped)
    {
        string id = null, key = NewKey();
        double interval = 20, pause;
        var failures = 0;
        var mayClaim = true;
        token = ReadToken();
        http.Timeout = TimeSpan.FromSeconds(5);
        while (!stopped.IsCancellationRequested)
        {
            var answer = await Send(url + (id == null ? "/broadcast" : "/ping"), FieldsAsJson(id), id == null ? key : null);
            var status = answer == null ? 0 : (int)answer.StatusCode;
            var body = answer == null ? "" : await answer.Content.ReadAsStringAsync();
            var code = ReadText(body, "code");
            if (status == 200)
            {
                mayClaim = mayClaim || id != null;
                id = ReadText(body, "server_id") ?? id;
                failures = 0;
                KeepToken(ReadHeader(answer, "Server-Token") ?? token);
                interval = Math.Max(1, ReadNumber(answer, "Server-Ping-Interval"));
                pause = interval * (0.9 + 0.2 * random.NextDouble());
            }
            else if (code == "unknown_server" || code == "idempotency_key_used" || code == "ip_mismatch")
            {
                id = null; // broadcast again: our token keeps the id, unless the entry was removed
                key = NewKey();
                pause = interval * random.NextDouble();
            }
            else if (code == "not_owner" || code == "server_token_required")
            {
                id = null;
                key = NewKey();
                token = "claim";
                pause = mayClaim ? interval * random.NextDouble() : 300; // soon, but once until a ping succeeds
                mayClaim = false;
            }
            else if (status == 0 || status == 408 || status == 429 || status >= 500 || code == "address_taken")
            {
                pause = Math.Min(interval, Math.Pow(2, failures)) * (0.5 + 0.5 * random.NextDouble());
                pause = Math.Max(pause, ReadNumber(answer, "Retry-After"));
                failures += 1; // a problem that passes: the same request again, later each time
            }
            else pause = 300; // a person has to correct something
            if (status == 0) body = "no answer";
            if (status != 200) Console.Error.WriteLine($"GSLS: {status} {body}; again in {pause:0} s");
            try { await Task.Delay(TimeSpan.FromSeconds(pause), stopped); } catch (OperationCanceledException) { }
        }
        if (id != null) await Send(url + "/remove", FieldsAsJson(id), null);
    }

    /// Null without an answer.
    async Task<HttpResponseMessage> Send(string url, string fields, string idempotencyKey)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, url) { Content = new StringContent(fields) };
        if (Key != null) request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + Key);
        request.Headers.TryAddWithoutValidation("Server-Token", token);
        if (idempotencyKey != null) request.Headers.Add("Idempotency-Key", idempotencyKey);
        try { return await http.SendAsync(request); }
        catch (HttpRequestException) { return null; }
        catch (OperationCanceledException) { return null; } // it took too long
    }

    string ReadToken()
    {
        var kept = File.Exists(TokenFile) ? File.ReadAllText(TokenFile).Trim() : "";
        return kept == "" ? "claim" : kept;
    }

    void KeepToken(string issued)
    {
        if (issued == token) return;
        token = issued;
        try { if (TokenFile != null) File.WriteAllText(TokenFile, token); }
        catch (SystemException error) { Console.Error.WriteLine("GSLS: the token is not kept: " + error.Message); }
    }

    static string NewKey() => Guid.NewGuid().ToString();

    string FieldsAsJson(string id) => "{" + (id == null ? "" : $"\"server_id\":{Quote(id)},") +
        $"\"server_host\":{Quote(Host)},\"server_name\":{Quote(Name)},\"server_port\":{Port}," +
        $"\"server_ip\":{Quote(Ip)},\"players\":{Players},\"max_players\":{MaxPlayers}," +
        $"\"map\":{Quote(Map)},\"mode\":{Quote(Mode)}" + "}";

    static string Quote(string text) =>
        "\"" + Regex.Replace(text, "[\\x00-\\x1f\"\\\\]", found => $"\\u{(int)found.Value[0]:x4}") + "\"";

    static string ReadText(string json, string field)
    {
        var found = Regex.Match(json, $"\"{field}\":\"([^\"]*)\"");
        return found.Success ? found.Groups[1].Value : null;
    }

    static string ReadHeader(HttpResponseMessage answer, string name) =>
        answer != null && answer.Headers.TryGetValues(name, out var values) ? string.Concat(values) : null;

    static int ReadNumber(HttpResponseMessage answer, string header) =>
        int.TryParse(ReadHeader(answer, header), out var number) ? number : 0;
}

static class Program
{
    static void Main(string[] args)
    {
        var stop = new CancellationTokenSource();
        var gameServer = new GameServer { Key = Environment.GetEnvironmentVariable("GSLS_KEY") };
        if (args.Length > 1) gameServer.TokenFile = args[1];
        var listing = gameServer.KeepListed(args[0], stop.Token);
        Console.ReadLine(); // Enter ends the game
        stop.Cancel();
        listing.Wait();
    }
}
