import { currentClient, type WaitingClient } from '#shared/platform/db/waiting-client.ts'

/** The client of a download. */
export interface Downloader {
  client: WaitingClient | undefined
  /** Whether it has disconnected. It stays true after the request has ended, when `client.isGone` is false again. */
  hasLeft(): boolean
}

/** Returns the client of the current request as a downloader. Without a client, `hasLeft` always returns false. */
export function watchDownloader(): Downloader {
  const client = currentClient()
  let hasLeft = client?.isGone === true
  client?.onDisconnect(() => {
    hasLeft = true
  })
  return { client, hasLeft: () => hasLeft }
}
