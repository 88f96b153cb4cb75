/** Code and reason with which the service closes a socket (contract §5). */
export const CLOSE = {
  credentialEnded: { code: 4401, reason: 'credential ended' },
  rightsLost: { code: 4403, reason: 'rights lost' },
  replaced: { code: 4409, reason: 'replaced by a newer connection with this client_id' },
  tooLarge: { code: 4413, reason: 'frame over 64 KiB' },
  flood: { code: 4429, reason: 'too many messages' },
  restarting: { code: 1013, reason: 'hub restarting, reconnect' },
  behind: { code: 1013, reason: 'too many unacknowledged events, reconnect' },
} as const satisfies Record<string, { code: number; reason: string }>

export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE]
