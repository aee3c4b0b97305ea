using System;
using System.Globalization;

namespace GameServerListing
{
    /// <summary>How long a client waits before it asks the service again.</summary>
    internal static class Pauses
    {
        private static readonly TimeSpan LongestRetryAfter = TimeSpan.FromHours(1);
        private static readonly Random Source = new Random();

        /// <summary>The forms of a date in HTTP (RFC 9110, 5.6.7).</summary>
        private static readonly string[] DateForms =
        {
            "r", "dddd, dd-MMM-yy HH:mm:ss 'GMT'", "ddd MMM d HH:mm:ss yyyy", "ddd MMM  d HH:mm:ss yyyy",
        };

        /// <summary>From 0 to 1.</summary>
        public static double Random()
        {
            lock (Source) return Source.NextDouble();
        }

        /// <summary>
        /// 1 s, 2 s, 4 s and so on up to the longest, each shortened at random by up to a half: clients that failed
        /// together do not come back together.
        /// </summary>
        /// <param name="failures">In a row, before this one.</param>
        /// <param name="longest">Of the pauses.</param>
        public static TimeSpan Growing(int failures, TimeSpan longest) =>
            TimeSpan.FromSeconds(Math.Min(longest.TotalSeconds, Math.Pow(2, failures)) * (0.5 + Random() / 2));

        /// <summary>What Retry-After asks for, in seconds or as a date; zero if it says neither.</summary>
        public static TimeSpan RetryAfter(Answer answer)
        {
            var text = answer.Header("Retry-After") ?? "";
            if (IsDigits(text))
            {
                var seconds = double.Parse(text, CultureInfo.InvariantCulture);
                return TimeSpan.FromSeconds(Math.Min(seconds, LongestRetryAfter.TotalSeconds));
            }
            if (!TryParseDate(text, out var until)) return TimeSpan.Zero;
            var now = TryParseDate(answer.Header("Date"), out var told) ? told : DateTimeOffset.UtcNow;
            var pause = until - now;
            return pause < TimeSpan.Zero ? TimeSpan.Zero : pause < LongestRetryAfter ? pause : LongestRetryAfter;
        }

        private static bool TryParseDate(string text, out DateTimeOffset date) =>
            DateTimeOffset.TryParseExact(
                text, DateForms, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out date);

        private static bool IsDigits(string text)
        {
            foreach (var character in text)
                if (character < '0' || character > '9') return false;
            return text.Length > 0 && text.Length < 100;
        }
    }
}
