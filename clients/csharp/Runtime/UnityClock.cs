#if UNITY_2021_3_OR_NEWER
using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>
    /// A clock that needs no thread and no timer, which a game in a browser does not have: it looks at each frame. Use
    /// it from the main thread.
    /// </summary>
    public sealed class UnityClock : IClock
    {
        private readonly Stopwatch stopwatch = Stopwatch.StartNew();

        /// <inheritdoc />
        public TimeSpan Now => stopwatch.Elapsed;

        /// <inheritdoc />
        public async Task Delay(TimeSpan time, CancellationToken cancellation)
        {
            for (var end = Now + time; Now < end;)
            {
                await Task.Yield();
                cancellation.ThrowIfCancellationRequested();
            }
        }
    }
}
#endif
