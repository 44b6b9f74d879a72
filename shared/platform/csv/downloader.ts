import { currentClient, type WaitingClient } from '#shared/platform/db/waiting-client.ts'

/** The client of a download. */
export interface Downloader {
  client: WaitingClient | undefined
  /** Whether it has disconnected. The client forgets that at the end of its request. */
  hasLeft(): boolean
}

/** Returns the client of the current request as a downloader. Without a client, nobody ever leaves. */
export function watchDownloader(): Downloader {
  const client = currentClient()
  let hasLeft = client?.isGone === true
  client?.onDisconnect(() => {
    hasLeft = true
  })
  return { client, hasLeft: () => hasLeft }
}
