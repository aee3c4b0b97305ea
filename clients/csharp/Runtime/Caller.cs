using System;
using System.Collections.Generic;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>One request.</summary>
    internal sealed class Question
    {
        public string Method = "GET";

        /// <summary>Behind the URL of the service, with its query.</summary>
        public string Path;

        public readonly Dictionary<string, string> Headers = new Dictionary<string, string>();

        /// <summary>Sent as JSON; null for none.</summary>
        public Dictionary<string, object> Body;

        public TimeSpan Timeout;
        public int MostBytes = 1024 * 1024;
        public bool TakesGzip, TakesNewConnection;

        /// <summary>
        /// With so many bytes in the time that it has, an answer is given the same time again; 0: it is not.
        /// </summary>
        public int Progress;

        /// <summary>
        /// Takes a stream of events in pieces. What it returns is how long the stream may be silent from now on; null
        /// leaves that as it was. What it throws ends the stream.
        /// </summary>
        public Func<string, TimeSpan?> OnStream;
    }

    /// <summary>
    /// Asks one service: each answer is bounded in time and size, and there is always one, whatever happens.
    /// </summary>
    internal sealed class Caller
    {
        private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

        private readonly string url;
        private readonly string authorization;
        private readonly bool insecure;
        private readonly ITransport transport;

        /// <summary>Throws an ArgumentException for a URL or a key that cannot be right.</summary>
        public Caller(string url, GslsOptions options)
        {
            const string serviceUrl = @"^https?://([^\s:/?#@[\]]+|\[[\w:.]+\])(:\d{1,5})?(/[^\s?#]*)?\z";
            if (!Regex.IsMatch(url ?? "", serviceUrl, RegexOptions.IgnoreCase) ||
                !Uri.TryCreate(url, UriKind.Absolute, out _))
                throw new ArgumentException("\"" + url + "\" is no URL of a service, such as http://localhost:53600");
            this.url = url.TrimEnd('/');
            authorization = AuthorizationFor(options.Key);
            insecure = options.Insecure;
            Timeout = options.Timeout ?? DefaultTimeout;
            if (Timeout <= TimeSpan.Zero) throw new ArgumentException("the timeout must be longer than nothing");
            transport = options.Transport ?? Platform.Transport;
        }

        /// <summary>One for each URL, in their order. Throws as the constructor, and for no URL.</summary>
        public static List<Caller> ForAll(IEnumerable<string> urls, GslsOptions options)
        {
            var callers = new List<Caller>();
            foreach (var url in urls) callers.Add(new Caller(url, options));
            if (callers.Count == 0) throw new ArgumentException("there is no URL of a service");
            return callers;
        }

        /// <summary>Of one request.</summary>
        public TimeSpan Timeout { get; }

        /// <summary>Of the service, without a slash at its end.</summary>
        public string Url => url;

        /// <summary>Asks another place in the same way, without the key. Throws as the constructor.</summary>
        public Caller At(string other) =>
            new Caller(other, new GslsOptions { Insecure = insecure, Transport = transport });

        /// <summary>Never throws. Completes soon after a cancellation, whatever the transport does.</summary>
        public async Task<Answer> AskAsync(Question question, CancellationToken cancellation)
        {
            var receiver = new Receiver(question);
            using (var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation))
            using (var deadline = new Deadline(question.Timeout, end))
            {
                receiver.Deadline = deadline;
                var ended = new TaskCompletionSource<bool>();
                using (end.Token.Register(() => ended.TrySetResult(true)))
                {
                    try
                    {
                        var sending = transport.SendAsync(RequestFor(question), receiver, end.Token);
                        await Task.WhenAny(sending, ended.Task);
                        if (sending.IsCompleted && !end.IsCancellationRequested) await sending;
                        else Forget(sending);
                        return receiver.Close(
                            !end.IsCancellationRequested ? null :
                            deadline.HasPassed ? "nothing came within " + question.Timeout.TotalSeconds + " s" :
                            "it was given up", deadline.HasPassed);
                    }
                    catch (Exception error)
                    {
                        return receiver.Close(error.GetBaseException().Message, deadline.HasPassed);
                    }
                }
            }
        }

        private TransportRequest RequestFor(Question question)
        {
            var headers = new Dictionary<string, string>(question.Headers);
            if (authorization != null) headers["Authorization"] = authorization;
            return new TransportRequest
            {
                Method = question.Method,
                Url = new Uri(url + question.Path),
                Headers = headers,
                Body = question.Body == null ? null : Encoding.UTF8.GetBytes(Json.Write(question.Body)),
                TakesGzip = question.TakesGzip,
                Insecure = insecure,
                TakesNewConnection = question.TakesNewConnection,
            };
        }

        /// <summary>
        /// As a part of a URL. Half a character becomes U+FFFD: a service may say one in JSON, and .NET throws at it.
        /// </summary>
        public static string Escape(string text) =>
            Uri.EscapeDataString(Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)));

        /// <summary>A header of .NET has ASCII alone; Basic takes a key of any characters.</summary>
        private static string AuthorizationFor(string key)
        {
            if (string.IsNullOrEmpty(key)) return null;
            var isAscii = true;
            foreach (var character in key)
            {
                if (char.IsControl(character))
                    throw new ArgumentException("the key has characters that no header can have");
                isAscii = isAscii && character <= '~';
            }
            return isAscii ? "Bearer " + key : "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(":" + key));
        }

        /// <summary>Nobody waits for it any more; its exception is no surprise.</summary>
        private static void Forget(Task task) =>
            task.ContinueWith(each => each.Exception, TaskContinuationOptions.ExecuteSynchronously);

        private sealed class Receiver : ITransportReceiver
        {
            private readonly Question question;
            private readonly Answer answer = new Answer();
            private readonly StringBuilder text = new StringBuilder();
            private readonly Decoder decoder = new UTF8Encoding(false).GetDecoder();
            private readonly object gate = new object();
            private int bytesSoFar, bytesOfProgress;
            private string failure;
            private bool isClosed;

            public Receiver(Question question)
            {
                this.question = question;
            }

            public Deadline Deadline { private get; set; }

            public void OnHead(int status, IEnumerable<KeyValuePair<string, string>> headers)
            {
                lock (gate)
                    if (!isClosed) answer.TakeHead(status, headers);
            }

            public bool OnBody(byte[] bytes, int count)
            {
                lock (gate)
                {
                    if (isClosed || failure != null) return false;
                    try
                    {
                        Take(bytes, count);
                    }
                    catch (Exception error)
                    {
                        failure = error.Message;
                    }
                    return failure == null;
                }
            }

            /// <summary>Takes nothing from now on. The answer as it is, with this cause if it is not whole.</summary>
            public Answer Close(string cause, bool isLate)
            {
                lock (gate)
                {
                    isClosed = true;
                    cause = failure ?? cause ?? (answer.Status == 0 ? "there was none" : null);
                    if (cause != null) answer.Fail(cause, isLate, failure != null);
                    else answer.Complete(text.ToString().TrimStart('\ufeff'));
                    return answer;
                }
            }

            private void Take(byte[] bytes, int count)
            {
                var characters = new char[decoder.GetCharCount(bytes, 0, count)];
                var piece = new string(characters, 0, decoder.GetChars(bytes, 0, count, characters, 0));
                bytesOfProgress += count;
                if (question.Progress > 0 && bytesOfProgress >= question.Progress)
                {
                    bytesOfProgress = 0;
                    Deadline.Set(question.Timeout);
                }
                if (question.OnStream != null && answer.IsStream)
                {
                    if (question.OnStream(piece) is TimeSpan silence) Deadline.Set(silence);
                    return;
                }
                bytesSoFar += count;
                if (bytesSoFar > question.MostBytes)
                    throw new InvalidOperationException("the answer has more than " + question.MostBytes + " bytes");
                text.Append(piece);
            }
        }
    }
}
