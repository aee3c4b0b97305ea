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
        private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(2);
        private static readonly TimeSpan PauseForAPerson = TimeSpan.FromSeconds(300);

        private readonly Caller caller;
        private readonly IClock clock;
        private readonly Journal journal;
        private readonly TokenFile tokenFile;
        private readonly CancellationTokenSource stopping = new CancellationTokenSource();
        private readonly object gate = new object();
        private readonly Task running;
        private Task stopped;

        // What other threads see.
        private volatile ServerFields fields;
        private volatile string id, problem, verification, joinCode;
        private volatile int state = (int)AnnouncementState.Starting;
        private volatile bool isStopping;

        // What the loop alone knows. Token and key are credentials.
        private string token = NoToken, idempotencyKey, sentIp;
        private TimeSpan pingInterval = TimeSpan.FromSeconds(20);
        private int failures;
        private bool mayClaim = true;

        internal Announcement(string url, ServerFields fields, GslsOptions options)
        {
            caller = new Caller(url, options);
            clock = options.Clock ?? Platform.Clock;
            journal = new Journal(options.Log);
            journal.Hide("key", options.Key);
            tokenFile = new TokenFile(options.TokenFile);
            this.fields = new ServerFields().With(fields);
            running = Platform.Run(RunAsync);
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
        public Task StopAsync()
        {
            isStopping = true;
            lock (gate) return stopped ?? (stopped = Platform.Run(EndAsync));
        }

        /// <summary>
        /// As <see cref="StopAsync"/>, and waits for it: 2 s at the most. In Unity it does not wait, because the main
        /// thread does the work.
        /// </summary>
        public void Stop() => Platform.Wait(StopAsync());

        /// <summary>As <see cref="Stop"/>.</summary>
        public void Dispose() => Stop();

        private async Task EndAsync()
        {
            stopping.Cancel();
            await Task.WhenAny(running, Platform.Clock.Delay(StopTimeout, CancellationToken.None));
            state = (int)AnnouncementState.Stopped;
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
                    Report(answer, pause);
                    await clock.Delay(pause, stopping.Token);
                }
                catch (OperationCanceledException)
                {
                }
            }
            if (id != null) await RemoveAsync();
        }

        private Task<Answer> BroadcastAsync() =>
            SendAsync("/broadcast", question => question.Headers["Idempotency-Key"] = idempotencyKey);

        private Task<Answer> PingAsync() => SendAsync("/ping", question => question.Body["server_id"] = id);

        private Task<Answer> SendAsync(string path, Action<Question> complete)
        {
            var body = fields.ToBody();
            sentIp = body["server_ip"] as string;
            var question = new Question { Method = "POST", Path = path, Body = body, Timeout = caller.Timeout };
            question.Headers["Server-Token"] = token;
            complete(question);
            return caller.AskAsync(question, stopping.Token);
        }

        private async Task RemoveAsync()
        {
            var question = new Question
            {
                Method = "POST",
                Path = "/remove",
                Body = new Dictionary<string, object> { ["server_id"] = id, ["server_ip"] = sentIp },
                Timeout = StopTimeout,
                TakesNewConnection = true,
            };
            question.Headers["Server-Token"] = token;
            var answer = await caller.AskAsync(question, CancellationToken.None);
            id = null;
            problem = IsSuccess(answer) ? null : "not removed: " + journal.Clean(answer.Problem);
            if (problem != null) journal.Tell("state", problem);
        }

        /// <summary>Does what the answer asks for. Gives the pause until the next request.</summary>
        private TimeSpan Take(Answer answer)
        {
            if (IsAccepted(answer)) return Accept(answer);
            state = (int)AnnouncementState.Failing;
            problem = journal.Clean(answer.Problem);
            if (EntryIsGone.Contains(answer.Code))
            {
                BeginAnew(); // Its token keeps the id, unless the entry was removed.
                return Times(pingInterval, Pauses.Random());
            }
            // What no service has issued, such as a file that another program wrote.
            var isDamaged = answer.Code == "invalid_request" && id == null && token != NoToken;
            if (TokenIsRefused.Contains(answer.Code) || isDamaged) return ClaimAnew();
            if (!Passes(answer)) return PauseForAPerson;
            var pause = Pauses.Growing(failures++, pingInterval);
            var least = Pauses.RetryAfter(answer);
            return pause > least ? pause : least;
        }

        private static bool IsSuccess(Answer answer) => answer.Status == 200 && answer.Member("status") == "success";

        private bool IsAccepted(Answer answer) =>
            IsSuccess(answer) && (id != null || answer.Member("server_id") != null);

        private static bool Passes(Answer answer) =>
            !answer.IsOfGsls || answer.Status < 400 || answer.Status == 408 || answer.Status == 429 ||
            answer.Status >= 500 || answer.Code == "address_taken";

        private TimeSpan Accept(Answer answer)
        {
            var isFirst = id == null;
            if (isFirst) id = answer.Member("server_id");
            else mayClaim = true;
            failures = 0;
            state = (int)AnnouncementState.Listed;
            problem = null;
            Keep(answer.Header("Server-Token"));
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

        private TimeSpan ClaimAnew()
        {
            token = NoToken;
            journal.Tell("token", "the token is not valid any more: a new entry is claimed");
            BeginAnew();
            var pause = mayClaim ? Times(pingInterval, Pauses.Random()) : PauseForAPerson;
            mayClaim = false;
            return pause;
        }

        private void ReadToken()
        {
            token = tokenFile.Read(out var trouble) ?? NoToken;
            if (token != NoToken) journal.Hide("token", token);
            if (trouble != null) journal.Tell("token", trouble);
        }

        private void Keep(string issued)
        {
            if (issued == null || issued == token || !TokenFile.IsToken(issued)) return;
            token = issued;
            journal.Hide("token", token);
            journal.Tell("token file", tokenFile.Write(token));
        }

        private void Report(Answer answer, TimeSpan pause)
        {
            if (state == (int)AnnouncementState.Listed) journal.Tell("state", "the service has our entry");
            else journal.Tell("state", answer.Problem, "; again in " + Math.Ceiling(pause.TotalSeconds) + " s");
            if (!answer.IsOfGsls) return;
            verification = Told(answer, "Server-Verification") ?? verification;
            joinCode = Told(answer, "Server-Join-Code") ?? joinCode;
        }

        /// <summary>A header for a person, which is logged when it changes.</summary>
        private string Told(Answer answer, string header)
        {
            var value = answer.Header(header);
            if (value == null) return null;
            journal.Tell(header, header + ": " + value);
            return journal.Clean(value);
        }

        private static TimeSpan Times(TimeSpan time, double factor) => TimeSpan.FromTicks((long)(time.Ticks * factor));
    }
}
