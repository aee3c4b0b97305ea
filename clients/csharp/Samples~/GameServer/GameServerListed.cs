using System.IO;
using GameServerListing;
using UnityEngine;

/// <summary>
/// Keeps the game server that runs here listed: put it on an object that lives as long as the game does.
/// </summary>
public sealed class GameServerListed : MonoBehaviour
{
    [SerializeField] private string serviceUrl = "http://localhost:53600";
    [SerializeField] private string serverHost = "eu1.example.com";
    [SerializeField] private string serverName = "Frankfurt 1";
    [SerializeField] private int port = 7777;
    [SerializeField] private int maxPlayers = 16;

    private Announcement announcement;

    /// <summary>Call it whenever players come or go: the next ping tells it.</summary>
    public void SetPlayers(int players)
    {
        announcement?.Update(new ServerFields { Players = players });
    }

    private void Start()
    {
        var fields = new ServerFields
        {
            Host = serverHost, Name = serverName, Port = port, Players = 0, MaxPlayers = maxPlayers,
        };
        var tokenFile = Path.Combine(Application.persistentDataPath, "gsls.token");
        announcement = Gsls.Announce(serviceUrl, fields, new GslsOptions { TokenFile = tokenFile });
        Application.wantsToQuit += OnWantsToQuit;
    }

    private void OnDestroy()
    {
        Application.wantsToQuit -= OnWantsToQuit;
        announcement?.Dispose();
    }

    /// <summary>The game quits once the game server is off the list: 2 s later at the most.</summary>
    private bool OnWantsToQuit()
    {
        if (announcement == null || announcement.State == AnnouncementState.Stopped) return true;
        QuitLater();
        return false;
    }

    private async void QuitLater()
    {
        await announcement.StopAsync();
        Application.Quit();
    }
}
