using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>The time between requests. A test may bring its own, and let hours pass at once.</summary>
    public interface IClock
    {
        /// <summary>The time since any moment, by a clock that nobody sets.</summary>
        TimeSpan Now { get; }

        /// <summary>Completes after this time, or is cancelled.</summary>
        Task Delay(TimeSpan time, CancellationToken cancellation);
    }

    /// <summary>The clock of .NET and Mono.</summary>
    public sealed class SystemClock : IClock
    {
        private readonly Stopwatch stopwatch = Stopwatch.StartNew();

        /// <inheritdoc />
        public TimeSpan Now => stopwatch.Elapsed;

        /// <inheritdoc />
        public Task Delay(TimeSpan time, CancellationToken cancellation) => Task.Delay(time, cancellation);
    }
}
