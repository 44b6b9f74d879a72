import { Histogram } from 'prom-client'

export const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to answer a request, by operation and status',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})
