using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>Reads servers once, the whole list or all pages of a query, or reports one.</summary>
    internal sealed class ServerReader
    {
        private const int MostBytes = 64 * 1024 * 1024;
        private const int MostOnAPage = 1000;
        private const int MostPages = 1000;
        private const double StepMs = 5;

        private static readonly TimeSpan NearLasts = TimeSpan.FromDays(1);

        /// <summary>What was measured at each service, as a query says it, and when.</summary>
        private static readonly Dictionary<string, KeyValuePair<TimeSpan, string>> Near =
            new Dictionary<string, KeyValuePair<TimeSpan, string>>();

        private readonly List<Caller> callers;
        private readonly ListFile file;
        private readonly Journal journal;

        public ServerReader(IEnumerable<string> urls, GslsOptions options)
        {
            callers = Caller.ForAll(urls, options);
            file = ListFile.At(options.Keep, false);
            journal = new Journal(options.Log);
            journal.Hide("key", options.Key);
        }

        public async Task<ServerList> ListAsync(ServerList previous, CancellationToken cancellation)
        {
            try
            {
                var list = await FirstAsync(caller => ListAsync(caller, previous, cancellation));
                file?.Write(list.Servers, DateTimeOffset.UtcNow - (list.StaleFor ?? TimeSpan.Zero));
                return list;
            }
            catch (GslsException error) when (!error.IsRefusal && file != null)
            {
                var kept = file.Read(out _, out var asOf);
                if (kept == null) throw;
                return new ServerList(kept, asOf);
            }
        }

        public Task<ServerList> FindAsync(string query, CancellationToken cancellation) =>
            FirstAsync(caller => FindAsync(caller, query, cancellation));

        public Task<ServerList> NearestAsync(string query, CancellationToken cancellation) =>
            FirstAsync(async caller =>
            {
                var near = await NearAsync(caller, cancellation);
                var hasOrder = Regex.IsMatch(query ?? "", "(^|[?&])sort=");
                var added = near == "" ? "" : "&near=" + near + (hasOrder ? "" : "&sort=near");
                return await FindAsync(caller, query + added, cancellation);
            });

        /// <summary>Empty if nothing can be measured: the next call tries again.</summary>
        private static async Task<string> NearAsync(Caller caller, CancellationToken cancellation)
        {
            var known = KnownNear(caller.Url);
            if (known != null) return known;
            var parts = new List<string>();
            foreach (var each in await Beacons.MeasureAsync(caller, cancellation))
                parts.Add(each.Key + ":" + StepMs * Math.Round((double)each.Value / StepMs));
            cancellation.ThrowIfCancellationRequested();
            var near = string.Join(",", parts);
            lock (Near)
                if (near != "") Near[caller.Url] = new KeyValuePair<TimeSpan, string>(Platform.Clock.Now, near);
            return near;
        }

        private static string KnownNear(string url)
        {
            lock (Near)
                return Near.TryGetValue(url, out var near) && Platform.Clock.Now - near.Key < NearLasts
                    ? near.Value
                    : null;
        }

        public async Task ReportAsync(string id, string reason, string note, CancellationToken cancellation)
        {
            var body = new Dictionary<string, object> { ["id"] = id, ["reason"] = reason };
            if (!string.IsNullOrEmpty(note)) body["note"] = note;
            GslsException first = null;
            foreach (var caller in callers)
            {
                var question = new Question
                {
                    Method = "POST", Path = "/report", Body = body, Timeout = caller.Timeout, TakesNewConnection = true,
                };
                var answer = await caller.AskAsync(question, cancellation);
                cancellation.ThrowIfCancellationRequested();
                if (answer.IsSuccess) return;
                first = first ?? FailureOf(answer);
                if (answer.Code != null && answer.Status < 500) throw FailureOf(answer);
            }
            throw first;
        }

        /// <summary>What the first caller reads that can. Fails with the first exception.</summary>
        private async Task<ServerList> FirstAsync(Func<Caller, Task<ServerList>> read)
        {
            GslsException first = null;
            foreach (var caller in callers)
            {
                try
                {
                    return await read(caller);
                }
                catch (GslsException error)
                {
                    first = first ?? error;
                }
            }
            throw first;
        }

        private async Task<ServerList> ListAsync(Caller caller, ServerList previous, CancellationToken cancellation)
        {
            var question = QuestionFor(caller, "/");
            if (previous?.ETag != null) question.Headers["If-None-Match"] = previous.ETag;
            var answer = await caller.AskAsync(question, cancellation);
            cancellation.ThrowIfCancellationRequested();
            if (answer.Status == 304 && answer.IsWhole && previous != null) return new ServerList(previous, answer);
            return new ServerList(ServersIn(answer, false), answer);
        }

        private async Task<ServerList> FindAsync(Caller caller, string query, CancellationToken cancellation)
        {
            var most = TakeLimit(ref query);
            var servers = new List<ListedServer>();
            var places = new Dictionary<string, int>();
            var cursor = "";
            Answer answer;
            var pages = 0;
            do
            {
                var onPage = Math.Min(MostOnAPage, most - servers.Count);
                answer = await caller.AskAsync(QuestionFor(caller, "/servers?limit=" + onPage + query + cursor), cancellation);
                cancellation.ThrowIfCancellationRequested();
                foreach (var server in ServersIn(answer, true))
                {
                    if (places.TryGetValue(server.Id, out var place)) servers[place] = server;
                    else
                    {
                        places[server.Id] = servers.Count;
                        servers.Add(server);
                    }
                }
                cursor = answer.Member("next") == null ? "" : "&cursor=" + Caller.Escape(answer.Member("next"));
                if (++pages > MostPages) throw new GslsException("the list has no end", answer);
            } while (cursor != "" && servers.Count < most);
            if (servers.Count > most) servers.RemoveRange(most, servers.Count - most);
            return new ServerList(servers, answer);
        }

        /// <summary>
        /// What the query says as limit, which it then does not say any more. What is left begins with an ampersand.
        /// </summary>
        private static int TakeLimit(ref string query)
        {
            var most = int.MaxValue;
            var rest = "";
            foreach (var parameter in (query ?? "").TrimStart('?').Split('&'))
            {
                var limit = Regex.Match(parameter, "^limit=([0-9]{1,9})$");
                if (limit.Success && limit.Groups[1].Value != "0") most = int.Parse(limit.Groups[1].Value);
                else if (parameter != "") rest += "&" + parameter;
            }
            query = rest;
            return most;
        }

        private static Question QuestionFor(Caller caller, string path) =>
            new Question { Path = path, Timeout = caller.Timeout, MostBytes = MostBytes, TakesGzip = true };

        private GslsException FailureOf(Answer answer) =>
            new GslsException(journal.Clean(answer.IsOfGsls && answer.Member("error") != null
                ? answer.Member("error")
                : answer.Problem), answer);

        private List<ListedServer> ServersIn(Answer answer, bool hasDetails)
        {
            if (answer.Status != 200 || !answer.IsWhole) throw FailureOf(answer);
            answer.Body.TryGetValue("servers", out var told);
            return ListedServer.ReadAll(told, hasDetails) ??
                throw new GslsException("200: this is no answer of GSLS", answer);
        }
    }
}
