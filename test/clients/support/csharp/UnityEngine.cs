// Stand-ins for what clients/csharp uses of Unity, with the signatures of Unity 2021.3: enough to compile against.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public class MonoBehaviour
    {
    }

    public sealed class SerializeField : Attribute
    {
    }

    public static class Debug
    {
        public static void LogWarning(object message)
        {
        }
    }

    public static class Application
    {
        public static event Func<bool> wantsToQuit;
        public static string persistentDataPath => "";
        public static void Quit() => wantsToQuit?.Invoke();
    }

    public static class GUILayout
    {
        public static void Label(string text, params object[] options)
        {
        }
    }

    public class AsyncOperation
    {
        public bool isDone => true;
    }
}

namespace UnityEngine.Networking
{
    public class UnityWebRequestAsyncOperation : AsyncOperation
    {
    }

    public class UnityWebRequest : IDisposable
    {
        public enum Result { InProgress, Success, ConnectionError, ProtocolError, DataProcessingError }

        public UnityWebRequest(Uri uri, string method)
        {
        }

        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public CertificateHandler certificateHandler { get; set; }
        public int redirectLimit { get; set; }
        public long responseCode => 0;
        public string error => null;
        public Result result => Result.InProgress;
        public void SetRequestHeader(string name, string value) { }
        public Dictionary<string, string> GetResponseHeaders() => null;
        public UnityWebRequestAsyncOperation SendWebRequest() => null;
        public void Abort() { }
        public void Dispose() { }
    }

    public class DownloadHandler
    {
    }

    public class DownloadHandlerScript : DownloadHandler
    {
        protected virtual bool ReceiveData(byte[] data, int dataLength) => true;
    }

    public class UploadHandler
    {
        public string contentType { get; set; }
    }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        public UploadHandlerRaw(byte[] data)
        {
        }
    }

    public class CertificateHandler
    {
        protected virtual bool ValidateCertificate(byte[] certificateData) => false;
    }
}
