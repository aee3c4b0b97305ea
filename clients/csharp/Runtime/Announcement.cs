using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>How an announcement stands.</summary>
    public enum AnnouncementState
    {
        /// <summary>The service has not answered yet.</summary>
        Starting,

        /// <summary>The service has the entry.</summary>
        Listed,

        /// <summary>The last request was no success; <see cref="Announcement.Problem"/> says why.</summary>
        Failing,

        /// <summary>It was stopped, and the entry removed if that was possible.</summary>
        Stopped,
    }

    /// <summary>
    /// Keeps one game server listed until it is stopped, in the background, by the rules of docs/write-a-client.md. All
    /// of it may be used from any thread; in Unity from the main thread.
    /// </summary>
    public sealed class Announcement : IDisposable
    {
        private const string NoToken = "claim";

        private static readonly List<string> EntryIsGone =
            new List<string> { "unknown_server", "ip_mismatch", "idempotency_key_used" };

        private static readonly List<string> TokenIsRefused = new List<string> { "not_owner", "server_token_required" };

        /// <summary>How long the request of a stop may take: the end of a program needs the rest of two seconds.</summary>
        private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(1.8);

        private static readonly TimeSpan PauseForAPerson = TimeSpan.FromSeconds(300);

        private readonly Caller caller;
        private readonly IClock clock;
        private readonly Journal journal;
        private readonly TokenFile tokenFile;
        private readonly Latency latency;
        private readonly CancellationTokenSource stopping = new CancellationTokenSource();
        private readonly object gate = new object();
        private readonly Task running;
        private Task stopped;
        private volatile Task measuring = Task.CompletedTask;

        // What other threads see.
        private volatile ServerFields fields;
        private volatile string id, problem, verification, joinCode;
        private volatile int state = (int)AnnouncementState.Starting;
        private volatile bool isStopping, keepsId = true;

        // What the loop alone knows. Token and key are credentials.
        private string token = NoToken, idempotencyKey, sentIp, listedId;
        private TimeSpan pingInterval = TimeSpan.FromSeconds(20);
        private int failures;
        private bool mayClaim = true, isTokenKept;

        internal Announcement(string url, ServerFields fields, GslsOptions options)
        {
            caller = new Caller(url, options);
            clock = options.Clock ?? Platform.Clock;
            journal = new Journal(options.Log);
            journal.Hide("key", options.Key);
            tokenFile = new TokenFile(options.TokenFile);
            latency = options.Measure ? new Latency() : null;
            this.fields = new ServerFields().With(fields);
            running = Platform.Run(RunAsync);
            Platform.AtExit += OnExit;
        }

        /// <summary>Whether the entry is listed.</summary>
        public AnnouncementState State => (AnnouncementState)state;

        /// <summary>Of the entry; null while there is none.</summary>
        public string Id => id;

        /// <summary>What went wrong last, in words; null while all is well.</summary>
        public string Problem => problem;

        /// <summary>
        /// What the service has told last of its look at the game server; null if it has told nothing.
        /// </summary>
        public string Verification => verification;

        /// <summary>Of an unlisted game server: by it players find it. Null if there is none.</summary>
        public string JoinCode => joinCode;

        /// <summary>What measures beacons, or has done so last.</summary>
        internal Task Measuring => measuring;

        /// <summary>
        /// Takes over the fields that are set; the next ping tells them. Returns at once, and never throws.
        /// </summary>
        public void Update(ServerFields newer)
        {
            if (newer == null) return;
            lock (gate) fields = fields.With(newer);
        }

        /// <summary>
        /// Takes the game server off the list. The task is over within 2 s, and never fails.
        /// </summary>
        /// <param name="keepId">Whether the next start with the same token file gets the id again.</param>
        public Task StopAsync(bool keepId = true)
        {
            lock (gate)
            {
                if (stopped != null) return stopped;
                keepsId = keepId;
                isStopping = true;
                return stopped = Platform.Run(EndAsync);
            }
        }

        /// <summary>
        /// As <see cref="StopAsync"/>, and waits for it: 2 s at the most. In Unity it does not wait, because the main
        /// thread does the work.
        /// </summary>
        /// <param name="keepId">Whether the next start with the same token file gets the id again.</param>
        public void Stop(bool keepId = true) => Platform.Wait(StopAsync(keepId));

        /// <summary>As <see cref="Stop"/>. At the end of the process it is called by itself.</summary>
        public void Dispose() => Stop();

        private void OnExit(object sender, EventArgs nothing) => Stop();

        private async Task EndAsync()
        {
            stopping.Cancel();
            await Task.WhenAny(running, Platform.Clock.Delay(StopTimeout, CancellationToken.None));
            state = (int)AnnouncementState.Stopped;
            Platform.AtExit -= OnExit;
        }

        private async Task RunAsync()
        {
            ReadToken();
            BeginAnew();
            while (!isStopping)
            {
                try
                {
                    var answer = id == null ? await BroadcastAsync() : await PingAsync();
                    if (isStopping && !answer.IsWhole) break;
                    var pause = Take(answer);
                    Report(answer);
                    latency?.Heed(answer, clock.Now, pingInterval);
                    await SleepAsync(pause);
                }
                catch (OperationCanceledException)
                {
                }
            }
            if (id != null) await RemoveAsync();
        }

        private Task<Answer> BroadcastAsync() =>
            SendAsync("/broadcast", question => question.Headers["Idempotency-Key"] = idempotencyKey);

        private Task SleepAsync(TimeSpan pause) =>
            latency?.Due < clock.Now + pause && measuring.IsCompleted
                ? SleepAndMeasureAsync(clock.Now + pause)
                : clock.Delay(pause, stopping.Token);

        /// <summary>What is to be measured by the end of the pause is begun, and goes on beside it.</summary>
        private async Task SleepAndMeasureAsync(TimeSpan end)
        {
            await DelayUntilAsync(latency.Due);
            measuring = latency.MeasureAsync(caller, clock.Now, stopping.Token);
            await DelayUntilAsync(end);
        }

        private Task DelayUntilAsync(TimeSpan end) =>
            end > clock.Now ? clock.Delay(end - clock.Now, stopping.Token) : Task.CompletedTask;

        private Task<Answer> PingAsync() => SendAsync("/ping", question => question.Body["server_id"] = id);

        private Task<Answer> SendAsync(string path, Action<Question> complete)
        {
            var body = fields.ToBody();
            sentIp = body["server_ip"] as string;
            latency?.AddTo(body);
            var question = new Question { Method = "POST", Path = path, Body = body, Timeout = caller.Timeout };
            question.Headers["Server-Token"] = token;
            complete(question);
            return caller.AskAsync(question, stopping.Token);
        }

        private async Task RemoveAsync()
        {
            var body = new Dictionary<string, object> { ["server_id"] = id, ["server_ip"] = sentIp };
            var keeps = keepsId && isTokenKept;
            if (keeps) body["keep_id"] = true;
            var question = new Question
            {
                Method = "POST", Path = "/remove", Body = body, Timeout = StopTimeout, TakesNewConnection = true,
            };
            question.Headers["Server-Token"] = token;
            var answer = await caller.AskAsync(question, CancellationToken.None);
            var entry = Words.Cut(journal.Clean(id));
            id = null;
            problem = null;
            if (answer.IsSuccess)
                journal.Tell("state", "The game server left the list, and " +
                    (keeps ? "its token keeps the id " + entry : "the id " + entry + " is given up") + ".");
            else if (answer.Code == "unknown_server")
                journal.Tell("state", "The game server had left the list before.");
            else
                TellProblem(
                    answer.SentenceOn("remove", journal.Clean), "The entry " + entry + " stays until it expires.");
        }

        /// <summary>Does what the answer asks for, and tells it. Gives the pause until the next request.</summary>
        private TimeSpan Take(Answer answer)
        {
            if (IsAccepted(answer)) return Accept(answer);
            state = (int)AnnouncementState.Failing;
            var what = id == null ? "broadcast" : "ping";
            var isAnew = true;
            TimeSpan pause;
            // What is told is freed of the token and the key of this request: so it comes before they are renewed.
            var words = journal.Clean(answer.Code == "unknown_server" && id != null
                ? "The service does not know the id " + Words.Cut(journal.Clean(id)) + " any more."
                : answer.SentenceOn(what, journal.Clean));
            // What no service has issued, such as a file that another program wrote.
            var isDamaged = answer.Code == "invalid_request" && id == null && token != NoToken;
            var isRefused = TokenIsRefused.Contains(answer.Code) || isDamaged;
            if (EntryIsGone.Contains(answer.Code))
            {
                BeginAnew(); // Its token keeps the id, unless the entry was removed.
                pause = Times(pingInterval, Pauses.Random());
            }
            else if (isRefused)
            {
                pause = mayClaim ? Times(pingInterval, Pauses.Random()) : PauseForAPerson;
                mayClaim = false;
                BeginAnew();
            }
            else
            {
                isAnew = false;
                pause = Passes(answer) ? PauseAfter(answer) : PauseForAPerson;
            }
            TellProblem(words, (isAnew ? "A new broadcast follows in " : "The next " + what + " is in ") +
                Words.Seconds(pause));
            if (isRefused) ForgetToken();
            return pause;
        }

        private void TellProblem(string words, string next)
        {
            problem = journal.Clean(words);
            journal.Tell("state", words, next);
        }

        private TimeSpan PauseAfter(Answer answer)
        {
            var pause = Pauses.Growing(failures++, pingInterval);
            var least = Pauses.RetryAfter(answer);
            return pause > least ? pause : least;
        }

        private bool IsAccepted(Answer answer) =>
            answer.IsSuccess && (id != null || answer.Member("server_id") != null);

        private static bool Passes(Answer answer) =>
            !answer.IsOfGsls || answer.Status < 400 || answer.Status == 408 || answer.Status == 429 ||
            answer.Status >= 500 || answer.Code == "address_taken";

        private TimeSpan Accept(Answer answer)
        {
            var isFirst = id == null;
            if (isFirst) id = answer.Member("server_id");
            else mayClaim = true;
            failures = 0;
            // Whoever reads that it is listed finds its token in the file.
            Keep(answer.Header("Server-Token"));
            TellListed();
            var seconds = answer.Number("Server-Ping-Interval");
            if (seconds >= 1 && seconds <= 1000000) pingInterval = TimeSpan.FromSeconds(seconds.Value);
            // Those that began together ping at different times, from the first ping on.
            return Times(pingInterval, isFirst ? Pauses.Random() : 0.9 + 0.2 * Pauses.Random());
        }

        private void BeginAnew()
        {
            id = null;
            failures = 0;
            idempotencyKey = Guid.NewGuid().ToString();
            journal.Hide("idempotency key", idempotencyKey);
        }

        /// <summary>Tells it where it is new: at first, after a problem, and with another id.</summary>
        private void TellListed()
        {
            if (state != (int)AnnouncementState.Listed || listedId != id)
                journal.Tell("state", "The game server is listed " + (listedId == null ? "as " :
                    listedId == id ? "again as " : "again, with the new id ") + Words.EndOf(journal.Clean(id)));
            listedId = id;
            state = (int)AnnouncementState.Listed;
            problem = null;
        }

        private void ForgetToken()
        {
            token = NoToken;
            isTokenKept = false;
            var whose = tokenFile.Path != null
                ? "in " + tokenFile.Path
                : "of " + Words.Cut(journal.Clean(listedId ?? ""));
            journal.Tell("token", "The service refused the token " + whose + ". The next broadcast claims a new id.");
        }

        private void ReadToken()
        {
            token = tokenFile.Read(out var trouble) ?? NoToken;
            isTokenKept = token != NoToken;
            if (isTokenKept) journal.Hide("token", token);
            if (trouble != null) journal.Tell("token", trouble);
        }

        private void Keep(string issued)
        {
            if (issued == null || issued == token || !TokenFile.IsToken(issued)) return;
            token = issued;
            journal.Hide("token", token);
            var trouble = tokenFile.Write(token);
            isTokenKept = tokenFile.Path != null && trouble == null;
            journal.Tell("token", trouble);
        }

        private void Report(Answer answer)
        {
            if (!answer.IsOfGsls) return;
            verification = Told(answer, "Server-Verification", "The service says of its look at the game server: ") ??
                verification;
            joinCode = Told(answer, "Server-Join-Code", "Players find the game server by the join code ") ?? joinCode;
        }

        /// <summary>A header for a person, which is logged when it changes.</summary>
        private string Told(Answer answer, string header, string words)
        {
            var value = answer.Header(header);
            if (value == null) return null;
            journal.Tell(header, words + Words.EndOf(journal.Clean(value)));
            return journal.Clean(value);
        }

        private static TimeSpan Times(TimeSpan time, double factor) => TimeSpan.FromTicks((long)(time.Ticks * factor));
    }
}
