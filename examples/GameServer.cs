// Keeps a game server listed in GSLS. Mono, .NET, or Unity 2021 and later; nothing to install.
//
// RunGameServer.cs shows how a game uses it. In Unity call KeepListed in Start() of a MonoBehaviour without awaiting it,
// and cancel `stopped` in OnApplicationQuit(): the game never waits for it.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

public class GameServer
{
    public string Host = "eu1.example.com", Name = "Frankfurt 1";
    public string Ip = "auto"; // the address that the requests come from; or the public address itself
    public int Port = 7777, Players = 3, MaxPlayers = 16;
    public string Map = "de_dust2", Mode = "bomb defusal"; // optional, as is more: see docs/api.md#details
    readonly string url, key, tokenFile;
    readonly HttpClient http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });
    readonly Random random = new Random();
    readonly Dictionary<string, string> told = new Dictionary<string, string>(); // what was printed last, by topic
    string token; // proves that the entry is ours: never show or log it

    /// With a token file of its own, in a folder that other users cannot read, a game server that crashed and starts again
    /// keeps its id. The key is only for a service that asks for one. Throws if one of them cannot be right.
    public GameServer(string url, string key = null, string tokenFile = null)
    {
        const string serviceUrl = @"^https?://([^\s:/?#@[\]]+|\[[\w:.]+\])(:\d{1,5})?(/[^\s?#]*)?$";
        if (!Regex.IsMatch(url, serviceUrl, RegexOptions.IgnoreCase) || !Uri.TryCreate(url, UriKind.Absolute, out _))
            throw new ArgumentException($"\"{url}\" is no URL of a service, such as http://localhost:53600");
        if (!IsPrintable(key ?? "")) throw new ArgumentException("the key has characters that no header can have");
        this.url = url.TrimEnd('/');
        this.key = key;
        this.tokenFile = tokenFile;
        http.Timeout = TimeSpan.FromSeconds(5);
        token = File.Exists(tokenFile) ? File.ReadAllText(tokenFile).Trim() : "";
        if (token == "") token = "claim";
        if (!IsPrintable(token)) ClaimAnew();
    }

    /// Broadcasts, pings until `stopped` is cancelled, removes. Each ping carries the fields of that moment. What goes wrong
    /// is printed, and it goes on.
    public async Task KeepListed(CancellationToken stopped)
    {
        string id = null, idempotencyKey = NewKey();
        double interval = 20, pause;
        var failures = 0;
        var mayClaim = true;
        while (!stopped.IsCancellationRequested)
        {
            var answer = id == null ? await Send("/broadcast", null, idempotencyKey) : await Send("/ping", id, null);
            var (status, code) = (answer.Status, answer.Text("code"));
            // What no service has issued, such as a file that another program wrote.
            var isTokenDamaged = code == "invalid_request" && id == null && token != "claim";
            var isAccepted = status == 200 && (id ?? answer.Text("server_id")) != null;
            if (isAccepted)
            {
                mayClaim = mayClaim || id != null;
                id = answer.Text("server_id") ?? id;
                failures = 0;
                KeepToken(answer.Header("Server-Token") ?? token);
                interval = Math.Max(1, answer.Number("Server-Ping-Interval"));
                pause = interval * (0.9 + 0.2 * random.NextDouble());
            }
            else if (code == "unknown_server" || code == "idempotency_key_used" || code == "ip_mismatch")
            {
                id = null; // broadcast again: our token keeps the id, unless the entry was removed
                idempotencyKey = NewKey();
                pause = interval * random.NextDouble();
            }
            else if (code == "not_owner" || code == "server_token_required" || isTokenDamaged)
            {
                ClaimAnew();
                id = null;
                idempotencyKey = NewKey();
                pause = mayClaim ? interval * random.NextDouble() : 300; // soon, but once until a ping succeeds
                mayClaim = false;
            }
            else if (status == 0 || status == 408 || status == 429 || status >= 500 || code == "address_taken")
            {
                pause = Math.Min(interval, Math.Pow(2, failures)) * (0.5 + 0.5 * random.NextDouble());
                pause = Math.Max(pause, answer.Number("Retry-After"));
                failures += 1; // a problem that passes: the same request again, later each time
            }
            else pause = 300; // a person has to correct something
            if (isAccepted) Tell("state", "the service has our entry");
            else Tell("state", answer.Problem, $"; again in {pause:0} s");
            foreach (var name in new[] { "Server-Verification", "Server-Join-Code" })
                if (answer.Header(name) != null) Tell(name, $"{name}: {answer.Header(name)}");
            try { await Task.Delay(TimeSpan.FromSeconds(pause), stopped); } catch (OperationCanceledException) { }
        }
        if (id != null) await Send("/remove", id, null);
    }

    async Task<Answer> Send(string path, string id, string idempotencyKey)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, url + path) { Content = new StringContent(FieldsAsJson(id)) };
        if (!string.IsNullOrEmpty(key)) request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + key);
        request.Headers.TryAddWithoutValidation("Server-Token", token);
        if (idempotencyKey != null) request.Headers.Add("Idempotency-Key", idempotencyKey);
        try
        {
            var response = await http.SendAsync(request);
            return new Answer { Response = response, Body = await response.Content.ReadAsStringAsync() };
        }
        catch (HttpRequestException error) { return new Answer { Cause = error.GetBaseException().Message }; }
        catch (OperationCanceledException) { return new Answer { Cause = "it took too long" }; }
    }

    void KeepToken(string issued)
    {
        if (issued == token) return;
        token = issued;
        try { if (tokenFile != null) File.WriteAllText(tokenFile, token); }
        catch (SystemException error) { Tell("token", "the token is not kept: " + error.Message); }
    }

    void ClaimAnew()
    {
        token = "claim";
        var whose = tokenFile == null ? "of our entry" : "in " + tokenFile;
        Tell("token", $"the token {whose} is not valid: a new entry is claimed");
    }

    /// Prints only what is new about the topic. In Unity: Debug.LogWarning.
    void Tell(string topic, string text, string more = "")
    {
        if (!told.TryGetValue(topic, out var before) || before != text) Console.Error.WriteLine($"GSLS: {text}{more}");
        told[topic] = text;
    }

    static bool IsPrintable(string text) => Regex.IsMatch(text, "^[ -~]*\\z");

    static string NewKey() => Guid.NewGuid().ToString();

    string FieldsAsJson(string id) => "{" + (id == null ? "" : $"\"server_id\":{Quote(id)},") +
        $"\"server_host\":{Quote(Host)},\"server_name\":{Quote(Name)},\"server_port\":{Port}," +
        $"\"server_ip\":{Quote(Ip)},\"players\":{Players},\"max_players\":{MaxPlayers}," +
        $"\"map\":{Quote(Map)},\"mode\":{Quote(Mode)}" + "}";

    static string Quote(string text) =>
        "\"" + Regex.Replace(text, "[\\x00-\\x1f\"\\\\]", found => $"\\u{(int)found.Value[0]:x4}") + "\"";

    class Answer
    {
        public HttpResponseMessage Response; // null without an answer
        public string Body = "", Cause;

        public int Status => Response == null ? 0 : (int)Response.StatusCode;

        public string Problem
        {
            get
            {
                if (Response == null) return "no answer: " + Cause;
                var location = Header("Location");
                return $"{Status}: " + (Text("error") ?? (location == null ? "this is no answer of GSLS" : "this leads to " + location));
            }
        }

        public string Text(string field)
        {
            var found = Regex.Match(Body, $"\"{field}\":\"((?:[^\"\\\\]|\\\\.)*)\"");
            return found.Success ? found.Groups[1].Value : null;
        }

        public string Header(string name) =>
            Response != null && Response.Headers.TryGetValues(name, out var values) ? string.Concat(values) : null;

        public int Number(string header) => int.TryParse(Header(header), out var number) ? number : 0;
    }
}
