using System;
using System.Collections.Generic;

namespace GameServerListing
{
    /// <summary>The servers of one answer, or of all pages of a query.</summary>
    public sealed class ServerList
    {
        internal ServerList(IReadOnlyList<ListedServer> servers, Answer answer)
        {
            Servers = servers;
            ETag = answer.Header("ETag");
            StaleFor = StaleTime.Of(answer);
        }

        /// <summary>Those of a file, which were current at this time.</summary>
        internal ServerList(IReadOnlyList<ListedServer> servers, DateTimeOffset asOf)
        {
            Servers = servers;
            StaleFor = DateTimeOffset.UtcNow - asOf;
        }

        /// <summary>The same servers, as the answer says that they have not changed.</summary>
        internal ServerList(ServerList previous, Answer unchanged) : this(previous.Servers, unchanged)
        {
            ETag = ETag ?? previous.ETag;
        }

        /// <summary>In the order of the service.</summary>
        public IReadOnlyList<ListedServer> Servers { get; }

        /// <summary>Whether nobody knows that this is current.</summary>
        public bool IsStale => StaleFor != null;

        /// <summary>For how long it has not been current; null if it is.</summary>
        public TimeSpan? StaleFor { get; }

        internal string ETag { get; }
    }

    /// <summary>
    /// Servers could not be read, or a report was not taken; the message says why, in words.
    /// </summary>
    public sealed class GslsException : Exception
    {
        internal GslsException(string message, Answer answer) : base(message)
        {
            Status = answer.Status;
            Code = answer.Code;
        }

        /// <summary>Of the answer; 0 if there was none.</summary>
        public int Status { get; }

        /// <summary>
        /// The code of the error in the API, such as <c>invalid_query</c>; null if the answer is none of GSLS.
        /// </summary>
        public string Code { get; }

        /// <summary>The service refuses the query or the key: no patience mends that.</summary>
        internal bool IsRefusal => Code != null && (Status == 400 || Status == 401 || Status == 403);
    }

    internal static class StaleTime
    {
        /// <summary>Null if the answer does not say that it is stale (RFC 9111, 5.5).</summary>
        public static TimeSpan? Of(Answer answer)
        {
            var warning = answer.Header("Warning") ?? "";
            if (!warning.StartsWith("110 ") && !warning.StartsWith("111 ")) return null;
            return TimeSpan.FromSeconds(Math.Min(answer.Number("Age") ?? 0, int.MaxValue));
        }
    }
}
