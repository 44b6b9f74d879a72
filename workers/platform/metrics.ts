import { Histogram } from 'prom-client'

export const jobSeconds = new Histogram({
  name: 'job_seconds',
  help: 'Time to run a job, by queue and outcome',
  labelNames: ['queue', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
})
