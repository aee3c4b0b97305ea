using System;
using System.Threading;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>
    /// Cancels something when its time is over, which may change meanwhile. Uses no timer of .NET: a browser has none.
    /// </summary>
    internal sealed class Deadline : IDisposable
    {
        /// <summary>A shorter time counts at the latest after this one.</summary>
        private static readonly TimeSpan LongestLook = TimeSpan.FromSeconds(0.5);

        private readonly CancellationTokenSource over = new CancellationTokenSource();
        private readonly CancellationTokenSource target;
        private long endTicks;

        public Deadline(TimeSpan left, CancellationTokenSource target)
        {
            this.target = target;
            Set(left);
            Watch();
        }

        /// <summary>Whether it was it that has cancelled.</summary>
        public bool HasPassed { get; private set; }

        /// <summary>From now on so much time is left.</summary>
        public void Set(TimeSpan left) => Interlocked.Exchange(ref endTicks, (Platform.Clock.Now + left).Ticks);

        /// <inheritdoc />
        public void Dispose() => over.Cancel();

        private async void Watch()
        {
            try
            {
                for (var left = Left; left > TimeSpan.Zero; left = Left)
                    await Platform.Clock.Delay(left < LongestLook ? left : LongestLook, over.Token);
                HasPassed = true;
                target.Cancel();
            }
            catch (Exception)
            {
                // It is not needed any more, or what it cancels is over.
            }
        }

        private TimeSpan Left => TimeSpan.FromTicks(Interlocked.Read(ref endTicks)) - Platform.Clock.Now;
    }
}
