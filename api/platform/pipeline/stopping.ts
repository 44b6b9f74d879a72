let stopping = false

/**
 * Announces the stop of this process. `/health/ready` responds 503, so that a load balancer sends no new requests.
 * Every response closes its connection, so that clients open the next one elsewhere.
 */
export function announceStop(): void {
  stopping = true
}

export const isStopping = (): boolean => stopping
