// Follows the servers of GSLS that match a query, as a server browser in a game does. Mono, .NET, Unity 2021 and later.
//
//     mcs -r:System.Net.Http.dll -r:System.Runtime.Serialization.dll ServerBrowser.cs
//     mono ServerBrowser.exe http://localhost:53600 "region=eu&players=1..&full=false"
//
// Asks every two seconds for what has changed, and prints it: + a server that is new or has changed, - one that has left.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
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

public static class ServerBrowser {
    static readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
    static readonly DataContractJsonSerializer json = new DataContractJsonSerializer(typeof(Changes));

    /// Calls onChange(servers, changed, removed) after each change, for ever; servers is all that match, by id.
    public static async Task Follow(string url, string query,
                                    Action<Dictionary<string, Server>, Server[], IEnumerable<string>> onChange) {
        var servers = new Dictionary<string, Server>();
        var random = new Random();
        string tag = "";
        for (int failures = 0;;) {
            Changes changes;
            try {
                var answer = await http.GetAsync(url + "/changes?since=" + tag + "&" + query);
                changes = (Changes)json.ReadObject(new MemoryStream(await answer.Content.ReadAsByteArrayAsync()));
                int status = (int)answer.StatusCode;
                if (status == 400 || status == 401) throw new ArgumentException(changes.error); // the query or the key is wrong
                answer.EnsureSuccessStatusCode();
            } catch (Exception error) when (!(error is ArgumentException)) {
                // Keep what is known: the service comes back.
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
            failures = 0;
            await Task.Delay(1800 + random.Next(400));
        }
    }

    public static void Main(string[] args) {
        Console.OutputEncoding = new UTF8Encoding(false);
        string key = Environment.GetEnvironmentVariable("GSLS_KEY"); // only where reading needs one
        if (!string.IsNullOrEmpty(key)) http.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
        try {
            Follow(args[0].TrimEnd('/'), args.Length > 1 ? args[1] : "", (servers, changed, removed) => {
                foreach (var id in removed) Console.WriteLine("- " + id);
                foreach (var each in changed)
                    Console.WriteLine("+ " + each.id + " " + each.players + "/" + each.max_players + " " + each.name);
            }).Wait();
        } catch (AggregateException error) {
            Console.Error.WriteLine(error.InnerException.Message);
            Environment.Exit(1);
        }
    }
}
