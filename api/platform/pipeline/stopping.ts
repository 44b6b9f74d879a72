let stopping = false

/**
 * Makes `/health/ready` answer 503, so that a load balancer sends no new requests, and every answer close its
 * connection, so that clients open the next one elsewhere.
 */
export function announceStop(): void {
  stopping = true
}

export const isStopping = (): boolean => stopping
