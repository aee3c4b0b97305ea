using System.Collections.Generic;
using System.Linq;
using GameServerListing;
using UnityEngine;

/// <summary>Follows the servers that players can join, while it is enabled, and shows them.</summary>
public sealed class ServersToJoin : MonoBehaviour
{
    [SerializeField] private string serviceUrl = "http://localhost:53600";
    [SerializeField] private string query = "full=false";

    private ServerWatch watch;
    private List<ListedServer> servers = new List<ListedServer>();

    private void OnEnable()
    {
        watch = Gsls.Watch(serviceUrl, query, Show);
    }

    private void OnDisable()
    {
        watch.Dispose();
    }

    private void Show(ServerChanges changes)
    {
        servers = changes.Servers.Values.OrderByDescending(server => server.Players).ToList();
    }

    private void OnGUI()
    {
        foreach (var server in servers)
            GUILayout.Label(server.Players + "/" + server.MaxPlayers + " " + server.Name);
    }
}
