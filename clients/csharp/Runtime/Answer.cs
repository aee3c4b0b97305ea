using System;
using System.Collections.Generic;
using System.Globalization;

namespace GameServerListing
{
    /// <summary>What a service has answered, or why it has not.</summary>
    internal sealed class Answer
    {
        private readonly Dictionary<string, string> headers =
            new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

        private Dictionary<string, object> body;

        /// <summary>0 without an answer.</summary>
        public int Status { get; private set; }

        /// <summary>Empty of a stream, and without a whole answer.</summary>
        public string Text { get; private set; } = "";

        /// <summary>Why there is no whole answer; null with one.</summary>
        public string Cause { get; private set; }

        /// <summary>Whether there is no whole answer because nothing came in time.</summary>
        public bool IsLate { get; private set; }

        /// <summary>Whether the rest was not taken, because of what had come so far.</summary>
        public bool IsUnfit { get; private set; }

        /// <summary>Whether it is, or was, a stream of events.</summary>
        public bool IsStream
        {
            get
            {
                var type = Header("Content-Type") ?? "";
                return Status == 200 && type.StartsWith("text/event-stream", StringComparison.OrdinalIgnoreCase);
            }
        }

        /// <summary>Whether all of it has come.</summary>
        public bool IsWhole => Status != 0 && Cause == null;

        /// <summary>The members of an object of JSON; none of anything else, such as the page of a proxy.</summary>
        public Dictionary<string, object> Body => body ?? (body = Json.MembersOf(Text));

        /// <summary>Whether it may be one of GSLS: each has a status in its body, and none is a redirect.</summary>
        public bool IsOfGsls => IsWhole && Status / 100 != 3 && Member("status") != null;

        /// <summary>Whether it says that what was asked for is done.</summary>
        public bool IsSuccess => IsWhole && Status == 200 && Member("status") == "success";

        /// <summary>The code of an error of the API; null if it is none.</summary>
        public string Code => IsOfGsls ? Member("code") : null;

        /// <summary>Why it is no success, for a person. Not yet made printable.</summary>
        public string Problem
        {
            get
            {
                if (!IsWhole) return "no answer: " + Cause;
                var location = Header("Location");
                return Status + ": " + (Member("error") ?? (location == null
                    ? "this is no answer of GSLS"
                    : "this leads to " + location + ", and a redirect is not followed"));
            }
        }

        /// <summary>
        /// Why it is no success, in a sentence. The words of the service are made clean before they are cut: half a
        /// secret is one, too.
        /// </summary>
        /// <param name="what">Was asked for: a broadcast, a ping, a remove or a query.</param>
        /// <param name="clean">Makes a text printable.</param>
        public string SentenceOn(string what, Func<string, string> clean)
        {
            if (!IsWhole) return "The service did not answer: " + Words.EndOf(clean(Cause));
            var location = Header("Location");
            var error = Member("error");
            if (IsOfGsls && error != null)
                return "The service refused the " + what + " (" + Status + "): " + Words.EndOf(clean(error));
            return !string.IsNullOrEmpty(location) && Status / 100 == 3
                ? "The answer leads to " + Words.Cut(clean(location)) + ", and no redirect is followed (" + Status +
                    ")."
                : "The answer is none of GSLS (" + Status + ").";
        }

        /// <summary>A text in the body; null if there is none.</summary>
        public string Member(string name) => Body.TryGetValue(name, out var value) ? value as string : null;

        /// <summary>Null if there is none.</summary>
        public string Header(string name) => headers.TryGetValue(name, out var value) ? value : null;

        /// <summary>A header that is a number; null if it is none.</summary>
        public double? Number(string name) =>
            double.TryParse(
                Header(name), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
                ? number
                : (double?)null;

        public void TakeHead(int status, IEnumerable<KeyValuePair<string, string>> told)
        {
            Status = status;
            foreach (var header in told) headers[header.Key] = header.Value;
        }

        public void Complete(string text)
        {
            Text = text;
        }

        public void Fail(string cause, bool isLate, bool isUnfit)
        {
            Cause = cause;
            IsLate = isLate && !isUnfit;
            IsUnfit = isUnfit;
        }
    }
}
