using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading.Tasks;

namespace GameServerListing
{
    /// <summary>
    /// All that is different in Unity, whose main thread does the work: a game in a browser has no other.
    /// </summary>
    internal static class Platform
    {
#if UNITY_2021_3_OR_NEWER
        public static readonly IClock Clock = new UnityClock();
        public static readonly ITransport Transport = new UnityWebRequestTransport();

        public static Task<T> Run<T>(Func<Task<T>> work) => work();

        public static Task Run(Func<Task> work) => work();

        /// <summary>Does not wait: the task needs this thread.</summary>
        public static void Wait(Task task)
        {
        }

        public static void Log(string line) => UnityEngine.Debug.LogWarning("GSLS: " + line);
#else
        public static readonly IClock Clock = new SystemClock();
        public static readonly ITransport Transport = new HttpClientTransport();

        /// <summary>On a thread of the pool: the caller never waits, not even for a name to be resolved.</summary>
        public static Task<T> Run<T>(Func<Task<T>> work) => Task.Run(work);

        /// <inheritdoc cref="Run{T}" />
        public static Task Run(Func<Task> work) => Task.Run(work);

        public static void Wait(Task task) => task.Wait();

        public static void Log(string line) => Console.Error.WriteLine("GSLS: " + line);
#endif

        /// <summary>Lets only its own user read the file, where there is such a thing.</summary>
        public static void MakePrivate(string path)
        {
#if !UNITY_WEBGL
            if (Path.DirectorySeparatorChar != '/') return;
            try
            {
                ChangeMode(path, 0x180); // 0600
            }
            catch (Exception error) when (error is DllNotFoundException || error is EntryPointNotFoundException)
            {
            }
#endif
        }

#if !UNITY_WEBGL
        [DllImport("libc", EntryPoint = "chmod")]
        private static extern int ChangeMode(string path, uint mode);
#endif
    }
}
