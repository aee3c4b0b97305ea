using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>How far the beacons of a service are.</summary>
    internal static class Beacons
    {
        private const int Most = 16;
        private const int MostBytes = 4096;
        private const int Requests = 6;
        private const double LongestMs = 2000;

        /// <summary>In ms by their ids, of those that answer. Never fails.</summary>
        public static async Task<Dictionary<string, object>> MeasureAsync(Caller service, CancellationToken cancellation)
        {
            var question = new Question { Path = "/beacons", Timeout = service.Timeout };
            var answer = await service.AskAsync(question, cancellation);
            var measured = new Dictionary<string, object>();
            foreach (var beacon in ReadAll(answer, service))
            {
                var ms = cancellation.IsCancellationRequested ? null : await MsToAsync(beacon, cancellation);
                if (ms != null) measured[beacon.Id] = ms.Value;
            }
            return measured;
        }

        private static List<Beacon> ReadAll(Answer answer, Caller service)
        {
            var beacons = new List<Beacon>();
            answer.Body.TryGetValue("beacons", out var told);
            foreach (var each in answer.IsSuccess && told is List<object> all ? all : new List<object>())
            {
                var beacon = beacons.Count < Most ? Beacon.Read(each as Dictionary<string, object>, service) : null;
                if (beacon != null) beacons.Add(beacon);
            }
            return beacons;
        }

        /// <summary>The median of all requests but the first, which opens the connection; null if one fails.</summary>
        private static async Task<double?> MsToAsync(Beacon beacon, CancellationToken cancellation)
        {
            var times = new List<double>();
            for (var left = Requests; left > 0; left--)
            {
                var question = new Question
                {
                    Path = beacon.Path, Timeout = TimeSpan.FromMilliseconds(LongestMs), MostBytes = MostBytes,
                };
                var watch = Stopwatch.StartNew();
                var answer = await beacon.Place.AskAsync(question, cancellation);
                if (!answer.IsWhole || answer.Status / 100 != 2) return null;
                if (left < Requests) times.Add(watch.Elapsed.TotalMilliseconds);
            }
            times.Sort();
            return Math.Min(Math.Round(times[times.Count / 2]), LongestMs);
        }

        private sealed class Beacon
        {
            public string Id, Path;
            public Caller Place;

            /// <summary>Null if it is none.</summary>
            public static Beacon Read(Dictionary<string, object> members, Caller service)
            {
                object id = null, url = null;
                members?.TryGetValue("id", out id);
                members?.TryGetValue("url", out url);
                var parts = Regex.Match(
                    url as string ?? "", @"^(https?://[^/?#]*)(/[!""$-~]*)?\z", RegexOptions.IgnoreCase);
                if (!parts.Success || !Regex.IsMatch(id as string ?? "", @"^[a-z0-9-]{1,16}\z")) return null;
                try
                {
                    var path = parts.Groups[2].Success ? parts.Groups[2].Value : "/";
                    return new Beacon { Id = (string)id, Path = path, Place = service.At(parts.Groups[1].Value) };
                }
                catch (ArgumentException)
                {
                    return null;
                }
            }
        }
    }

    /// <summary>What an announcement says of its beacons, and when it measures them again.</summary>
    internal sealed class Latency
    {
        private static readonly TimeSpan Pause = TimeSpan.FromHours(1);

        private volatile string mark;
        private volatile Dictionary<string, object> measured;

        /// <summary>When it measures next; the longest time if it does not.</summary>
        public TimeSpan Due { get; private set; } = TimeSpan.MaxValue;

        /// <summary>Takes what a broadcast or a ping was answered.</summary>
        public void Heed(Answer answer, TimeSpan now, TimeSpan interval)
        {
            var told = answer.IsSuccess ? answer.Header("Server-Beacons") : mark;
            if (string.IsNullOrEmpty(told))
            {
                Due = TimeSpan.MaxValue;
                measured = null;
            }
            else if (told != mark || answer.Code == "ip_mismatch")
                Due = now + TimeSpan.FromSeconds(interval.TotalSeconds * Pauses.Random());
            mark = told;
        }

        /// <summary>Measures. What comes of it counts unless there are other beacons by then.</summary>
        public Task MeasureAsync(Caller service, TimeSpan now, CancellationToken cancellation)
        {
            var before = mark;
            Due = now + TimeSpan.FromSeconds(Pause.TotalSeconds * (0.9 + 0.2 * Pauses.Random()));
            return Platform.Run(async () =>
            {
                var result = await Beacons.MeasureAsync(service, cancellation);
                if (before == mark) measured = result;
            });
        }

        /// <summary>Says what was measured, unless the game says it.</summary>
        public void AddTo(Dictionary<string, object> body)
        {
            var known = measured;
            if (known?.Count > 0 && !body.ContainsKey("latency")) body["latency"] = known;
        }
    }
}
