export interface components {
  schemas: {
    ListedServer: {
      id: string;
      host: string;
      name: string;
      port: number;
      ip: string;
      players: number;
      max_players: number;
      map?: string;
      mode?: string;
      version?: string;
      region?: string;
      password?: boolean;
      tags?: string[];
      addresses?: { name: string; port: number; host?: string; ip?: string; protocol?: string }[];
      meta?: Record<string, unknown>;
      registered_at: string;
    };
  };
}
