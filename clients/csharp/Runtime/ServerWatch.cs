using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>What has changed in the servers that match.</summary>
    public sealed class ServerChanges
    {
        internal ServerChanges(
            IReadOnlyList<ListedServer> changed, IReadOnlyList<ListedServer> removed,
            IReadOnlyDictionary<string, ListedServer> servers, bool isStale)
        {
            Changed = changed;
            Removed = removed;
            Servers = servers;
            IsStale = isStale;
        }

        /// <summary>Those that are new, and those of which something has changed.</summary>
        public IReadOnlyList<ListedServer> Changed { get; }

        /// <summary>Those that have left or match no longer, as they were known.</summary>
        public IReadOnlyList<ListedServer> Removed { get; }

        /// <summary>All that match, by id.</summary>
        public IReadOnlyDictionary<string, ListedServer> Servers { get; }

        /// <summary>Whether nobody knows that this is current.</summary>
        public bool IsStale { get; }
    }

    /// <summary>How a watch stands.</summary>
    public enum WatchState
    {
        /// <summary>The service has not told its servers yet.</summary>
        Connecting,

        /// <summary>The servers are as the service has them.</summary>
        Live,

        /// <summary>They are as the service has them, but it says that its list is not current.</summary>
        Stale,

        /// <summary>
        /// The service is not reached. They are as they were; <see cref="ServerWatch.Problem"/> says why.
        /// </summary>
        Away,

        /// <summary>It was stopped.</summary>
        Stopped,
    }

    /// <summary>
    /// Follows the servers that match a query, in the background, until it is stopped. They stay known while the
    /// service is away, and it goes on when it is back.
    /// </summary>
    public sealed class ServerWatch : IDisposable
    {
        private const int MostBytes = 64 * 1024 * 1024;
        private const int ProgressBytes = 8192;

        private static readonly List<ListedServer> NoServers = new List<ListedServer>();
        private static readonly TimeSpan PollInterval = TimeSpan.FromSeconds(2);
        private static readonly TimeSpan PollingTime = TimeSpan.FromSeconds(60);
        private static readonly TimeSpan LeastRewriteTime = TimeSpan.FromSeconds(5);
        private static readonly TimeSpan RewriteTime = TimeSpan.FromSeconds(60);
        private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(30);

        private readonly UrlChoice choice;
        private readonly ListFile file;
        private readonly IClock clock;
        private readonly Journal journal;
        private readonly string query;
        private readonly Action<ServerChanges> onChange;
        private readonly TimeSpan silence, firstNews;
        private readonly CancellationTokenSource stopping = new CancellationTokenSource();
        private readonly object gate = new object();
        private readonly Task running;
        private Task stopped;

        private volatile IReadOnlyDictionary<string, ListedServer> servers = new Dictionary<string, ListedServer>();
        private volatile string problem;
        private volatile int state = (int)WatchState.Connecting;
        private volatile bool isStopping;

        // What the loop alone knows.
        private readonly Dictionary<string, ListedServer> known = new Dictionary<string, ListedServer>();
        private string tag;
        private TimeSpan pollsUntil;
        private int failures;
        private bool isStale, isToldStale, isKeptShown;
        private TimeSpan? writtenAt;
        private object written;
        private DateTimeOffset heardAt;

        internal ServerWatch(
            IEnumerable<string> urls, string query, Action<ServerChanges> onChange, GslsOptions options)
        {
            clock = options.Clock ?? Platform.Clock;
            choice = new UrlChoice(Caller.ForAll(urls, options), clock);
            if (!string.IsNullOrEmpty(options.Keep) && !string.IsNullOrEmpty(query))
                throw new ArgumentException("Keep is for a watch without a query");
            file = ListFile.At(options.Keep, true);
            journal = new Journal(options.Log);
            journal.Hide("key", options.Key);
            this.query = (query ?? "").TrimStart('?');
            this.onChange = onChange;
            silence = options.Timeout ?? TimeSpan.FromSeconds(5);
            firstNews = options.Timeout ?? TimeSpan.FromSeconds(10);
            running = Platform.Run(RunAsync);
        }

        /// <summary>
        /// All that match, by id, as they are known now. It never changes: the next ones are another dictionary.
        /// </summary>
        public IReadOnlyDictionary<string, ListedServer> Servers => servers;

        /// <summary>Whether the servers are current.</summary>
        public WatchState State => (WatchState)state;

        /// <summary>Why the service is not reached, in words; null while all is well.</summary>
        public string Problem => problem;

        /// <summary>Ends it: no change is told once the task is over, which never fails.</summary>
        public Task StopAsync()
        {
            isStopping = true;
            lock (gate) return stopped ?? (stopped = Platform.Run(EndAsync));
        }

        /// <summary>As <see cref="StopAsync"/>, without waiting.</summary>
        public void Dispose() => StopAsync();

        private async Task EndAsync()
        {
            stopping.Cancel();
            await running;
            state = (int)WatchState.Stopped;
        }

        private async Task RunAsync()
        {
            while (!isStopping)
            {
                if (choice.Returns()) pollsUntil = TimeSpan.Zero;
                try
                {
                    var pause = clock.Now < pollsUntil ? await PollAsync() : await StreamAsync();
                    if (pause > TimeSpan.Zero) await clock.Delay(pause, stopping.Token);
                }
                catch (OperationCanceledException)
                {
                }
            }
            Write(true);
        }

        /// <summary>Gives the pause until the next try, as all of these do.</summary>
        private async Task<TimeSpan> PollAsync()
        {
            var answer = await choice.Caller.AskAsync(QuestionFor("application/json"), stopping.Token);
            if (isStopping) return TimeSpan.Zero;
            return TryTake(answer) ? PollInterval : PauseAfter(answer);
        }

        private async Task<TimeSpan> StreamAsync()
        {
            var stream = new EventStream();
            var hasNews = false;
            var question = QuestionFor("text/event-stream");
            question.Progress = ProgressBytes;
            question.OnStream = piece =>
            {
                if (isStopping) return null;
                foreach (var block in stream.Take(piece)) hasNews = Take(block) || hasNews;
                if (hasNews) question.Progress = 0;
                if (choice.IsReturnDue) return TimeSpan.Zero;
                return hasNews ? silence : (TimeSpan?)null;
            };
            isToldStale = false;
            var answer = await choice.Caller.AskAsync(question, stopping.Token);
            if (isStopping) return TimeSpan.Zero;
            if (hasNews && !answer.IsUnfit) return answer.IsLate ? TimeSpan.Zero : PauseAfterStream(stream.RetryMs);
            // What is in between may hold a stream back for ever.
            var isSilent = answer.IsLate && (!choice.IsOfSeveral || answer.Status != 0);
            if (isSilent || answer.Code == "too_many_streams")
            {
                pollsUntil = clock.Now + PollingTime;
                return TimeSpan.Zero;
            }
            if (!TryTake(answer)) return PauseAfter(answer);
            pollsUntil = clock.Now + PollingTime;
            return PollInterval;
        }

        private Question QuestionFor(string type)
        {
            var since = tag == null ? "" : "since=" + Caller.Escape(tag);
            var all = since + (since == "" || query == "" ? "" : "&") + query;
            var question = new Question
            {
                Path = "/changes" + (all == "" ? "" : "?" + all),
                Timeout = choice.PatienceOf(firstNews),
                MostBytes = MostBytes,
                TakesGzip = type == "application/json",
            };
            question.Headers["Accept"] = type;
            return question;
        }

        /// <summary>Whether it is an answer that tells everything at once, and was taken.</summary>
        private bool TryTake(Answer answer)
        {
            isToldStale = StaleTime.Of(answer) != null;
            return answer.Status == 200 && answer.IsWhole && TryTakeChanges(answer.Body);
        }

        private TimeSpan PauseAfter(Answer failed)
        {
            if (choice.IsOfSeveral) pollsUntil = TimeSpan.Zero;
            var answer = choice.Fail(failed, out var least);
            if (answer == null) return TimeSpan.Zero;
            var words = answer.SentenceOn("query", journal.Clean);
            problem = journal.Clean(words);
            state = (int)WatchState.Away;
            var isForAPerson = answer.Status == 400 || answer.Status == 401;
            var pause = Pauses.Growing(isForAPerson ? int.MaxValue : failures++, LongestPause);
            if (pause < least) pause = least;
            journal.Tell("state", words, "The next try is in " + Words.Seconds(pause));
            if (file != null && tag == null && !isKeptShown) ShowKept();
            return pause;
        }

        /// <summary>The servers of the file, once no service answers.</summary>
        private void ShowKept()
        {
            isKeptShown = true;
            var kept = file.Read(out var wrong, out _);
            if (wrong != null) journal.Tell("file", wrong);
            if (kept == null) return;
            foreach (var server in kept) known[server.Id] = server;
            isStale = true;
            Publish(kept, NoServers);
        }

        /// <summary>Writes the list if it is due: the last one is in any case.</summary>
        private void Write(bool isLast = false)
        {
            if (file == null || tag == null) return;
            var due = written == servers ? RewriteTime : LeastRewriteTime;
            if (!isLast && writtenAt != null && clock.Now - writtenAt < due) return;
            writtenAt = clock.Now;
            written = servers;
            var wrong = file.Write(servers.Values, heardAt);
            if (wrong != null) journal.Tell("file", wrong);
        }

        private static TimeSpan PauseAfterStream(int? retryMs) =>
            retryMs == null
                ? Pauses.Growing(0, LongestPause)
                : TimeSpan.FromMilliseconds(Math.Min(Math.Max(retryMs.Value, 100), LongestPause.TotalMilliseconds));

        /// <summary>Whether it tells that the servers are up to date. Throws if it is none of GSLS.</summary>
        private bool Take(StreamBlock block)
        {
            if (block.Event == "changes" && block.Data != null)
            {
                if (!TryTakeChanges(Json.MembersOf(block.Data)))
                    throw new InvalidOperationException("the stream is none of GSLS");
                return true;
            }
            if (block.Event == "state" && block.Data != null)
            {
                isToldStale = Json.MembersOf(block.Data).TryGetValue("stale", out var stale) && true.Equals(stale);
                // Where the service was away, it is not back before it tells where the client stands.
                if (State == WatchState.Live || State == WatchState.Stale) Hear(NoServers, NoServers);
                return false;
            }
            // A bookmark tells where the client stands, if it stands anywhere.
            if (block.Data != null || block.Id == "" || tag == null) return false;
            tag = block.Id;
            failures = 0;
            Hear(NoServers, NoServers);
            return true;
        }

        private bool TryTakeChanges(Dictionary<string, object> told)
        {
            told.TryGetValue("servers", out var toldServers);
            told.TryGetValue("removed", out var toldRemoved);
            told.TryGetValue("full", out var full);
            told.TryGetValue("tag", out var newTag);
            var changed = ListedServer.ReadAll(toldServers, true);
            if (changed == null || !(toldRemoved is List<object> ids) || !ids.TrueForAll(id => id is string) ||
                !(full is bool isFull) || !(newTag is string)) return false;
            // Changes mean nothing without the list that they are of.
            if (tag == null && !isFull) return false;
            var isFirst = tag == null;
            tag = (string)newTag;
            var before = new Dictionary<string, ListedServer>(known);
            if (isFull) known.Clear();
            foreach (string id in ids) known.Remove(id);
            foreach (var server in changed) known[server.Id] = server;
            var removed = new List<ListedServer>();
            foreach (var each in before)
                if (!known.ContainsKey(each.Key)) removed.Add(each.Value);
            failures = 0;
            Hear(changed, removed, isFirst);
            return true;
        }

        /// <summary>The servers are as the service has them. Tells the game if that is new to it.</summary>
        private void Hear(List<ListedServer> changed, List<ListedServer> removed, bool isFirst = false)
        {
            var isNew = isFirst || changed.Count > 0 || removed.Count > 0 || isStale != isToldStale;
            if (problem != null) journal.Tell("state", "The service answers again.");
            choice.Answered();
            if (isStale != isToldStale)
                journal.Tell("list", isToldStale
                    ? "The service says that its list is not current."
                    : "The list is current again.");
            isStale = isToldStale;
            state = (int)(isStale ? WatchState.Stale : WatchState.Live);
            problem = null;
            if (!isStale) heardAt = DateTimeOffset.UtcNow;
            if (isNew && !isStopping) Publish(changed, removed);
            Write();
        }

        private void Publish(List<ListedServer> changed, List<ListedServer> removed)
        {
            servers = new Dictionary<string, ListedServer>(known);
            try
            {
                onChange(new ServerChanges(changed, removed, servers, isStale));
            }
            catch (Exception error)
            {
                journal.Tell("callback", "The callback of the watch has failed: " + Words.EndOf(error.ToString()));
            }
        }
    }
}
