using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
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

        /// <summary>
        /// Nothing is done at the end of a process: no frame follows in which a request could be sent.
        /// </summary>
        public static event EventHandler AtExit
        {
            add { }
            remove { }
        }

        public static void Log(string line) => UnityEngine.Debug.LogWarning("GSLS: " + line);
#else
        public static readonly IClock Clock = new SystemClock();
        public static readonly ITransport Transport = new HttpClientTransport();

        /// <summary>On a thread of the pool: the caller never waits, not even for a name to be resolved.</summary>
        public static Task<T> Run<T>(Func<Task<T>> work) => Task.Run(work);

        /// <inheritdoc cref="Run{T}" />
        public static Task Run(Func<Task> work) => Task.Run(work);

        /// <summary>For 2 s at the most: what is awaited at the end of a process must not keep it.</summary>
        public static void Wait(Task task) => task.Wait(TimeSpan.FromSeconds(2));

        /// <summary>At the end of the process, unless it is killed.</summary>
        public static event EventHandler AtExit
        {
            add { AppDomain.CurrentDomain.ProcessExit += value; }
            remove { AppDomain.CurrentDomain.ProcessExit -= value; }
        }

        public static void Log(string line) => Console.Error.WriteLine("GSLS: " + line);
#endif

        /// <summary>Puts these bytes into a file, which is never half written, and for its own user only.</summary>
        public static void Replace(string path, byte[] bytes)
        {
            string beside = null;
            try
            {
                beside = CreateBeside(path);
                using (var file = new FileStream(beside, FileMode.Truncate))
                {
                    file.Write(bytes, 0, bytes.Length);
                    file.Flush(true);
                }
                if (File.Exists(path)) File.Replace(beside, path, null);
                else File.Move(beside, path);
            }
            catch (Exception)
            {
                if (beside != null) File.Delete(beside);
                throw;
            }
        }

        /// <summary>
        /// Makes an empty file beside this one, and gives its path. From the beginning only its own user can read it,
        /// where there is such a thing.
        /// </summary>
        private static string CreateBeside(string path)
        {
#if !UNITY_WEBGL
            if (Path.DirectorySeparatorChar == '/')
            {
                try
                {
                    var name = Encoding.UTF8.GetBytes(path + ".XXXXXX\0");
                    var file = MakeTemporary(name);
                    if (file >= 0 && Close(file) == 0) return Encoding.UTF8.GetString(name, 0, name.Length - 1);
                }
                catch (Exception error) when (error is DllNotFoundException || error is EntryPointNotFoundException)
                {
                }
            }
#endif
            var beside = path + ".new";
            File.Delete(beside);
            using (new FileStream(beside, FileMode.CreateNew)) return beside;
        }

#if !UNITY_WEBGL
        [DllImport("libc", EntryPoint = "mkstemp")]
        private static extern int MakeTemporary(byte[] template);

        [DllImport("libc", EntryPoint = "close")]
        private static extern int Close(int file);
#endif
    }
}
