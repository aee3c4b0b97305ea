// Follows the servers of GSLS that match a query, as a server browser in a game does. Mono, .NET, Unity 2021 and later.
// Asks every two seconds for what has changed. RunServerBrowser.cs shows how a game uses it.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

[DataContract] public class Server {
    [DataMember] public string id, name, host, ip, map, mode, region;
    [DataMember] public int port, players, max_players;
}

[DataContract] public class Changes {
    [DataMember] public Server[] servers;
    [DataMember] public string[] removed;
    [DataMember] public bool full;
    [DataMember] public string tag, error;
}

public class ServerBrowser {
    readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
    readonly DataContractJsonSerializer json = new DataContractJsonSerializer(typeof(Changes));
    readonly string url;

    /// The key is only for a service whose list needs one. Throws if the URL cannot be one.
    public ServerBrowser(string url, string key = null) {
        const string serviceUrl = @"^https?://([^\s:/?#@[\]]+|\[[\w:.]+\])(:\d{1,5})?(/[^\s?#]*)?$";
        if (!Regex.IsMatch(url, serviceUrl, RegexOptions.IgnoreCase) || !Uri.TryCreate(url, UriKind.Absolute, out _))
            throw new ArgumentException($"\"{url}\" is no URL of a service, such as http://localhost:53600");
        this.url = url.TrimEnd('/');
        if (!string.IsNullOrEmpty(key)) http.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
    }

    /// Calls onChange(servers, changed, removed) after each change, for ever; servers is all that match, by id. Throws an
    /// ArgumentException if the query or the key is wrong.
    public async Task Follow(string query, Action<Dictionary<string, Server>, Server[], IEnumerable<string>> onChange) {
        var servers = new Dictionary<string, Server>();
        var random = new Random();
        string tag = "", problem = "";
        for (int failures = 0;;) {
            Changes changes;
            try {
                var answer = await http.GetAsync(url + "/changes?since=" + tag + "&" + query);
                changes = (Changes)json.ReadObject(new MemoryStream(await answer.Content.ReadAsByteArrayAsync()));
                int status = (int)answer.StatusCode;
                if (status == 400 || status == 401) throw new ArgumentException(changes.error);
                answer.EnsureSuccessStatusCode();
            } catch (Exception error) when (!(error is ArgumentException)) {
                // Keep what is known: the service comes back.
                var cause = error.GetBaseException().Message;
                if (cause != problem) Console.Error.WriteLine("GSLS: " + cause);
                problem = cause;
                await Task.Delay((int)(1000 * Math.Min(30, Math.Pow(2, ++failures)) * random.NextDouble()));
                continue;
            }
            var removed = new HashSet<string>(changes.removed);
            if (changes.full) {
                removed.UnionWith(servers.Keys);
                foreach (var server in changes.servers) removed.Remove(server.id);
            }
            foreach (var id in removed) servers.Remove(id);
            foreach (var server in changes.servers) servers[server.id] = server;
            if (removed.Count > 0 || changes.servers.Length > 0) onChange(servers, changes.servers, removed);
            tag = changes.tag;
            problem = "";
            failures = 0;
            await Task.Delay(1800 + random.Next(400));
        }
    }
}
