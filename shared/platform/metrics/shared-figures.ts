import { executeOnPlatform } from '../db/pipelined-query.ts'
import { inMs, now, SECOND_MS } from '../time/clock.ts'

/** Seconds for which all processes give the same figures. */
const FRESH_SECONDS = 10
/** Seconds after which figures are too old to show: the process that should refresh them cannot. */
const STALE_SECONDS = 60

// Exactly one of all processes finds the figures due, and nobody waits for it: the others give the last ones.
const CLAIM = {
  name: 'claim_metric_figures',
  text: `
    insert into metric_figures as m (name, claimed_at) values ($1, $2::timestamptz)
    on conflict (name) do update set claimed_at = excluded.claimed_at
    where m.claimed_at <= $3::timestamptz
    returning name`,
}
const SAVE = {
  name: 'save_metric_figures',
  text: 'update metric_figures set figures = $2::jsonb, read_at = $3::timestamptz where name = $1 returning name',
}
const READ = {
  name: 'read_metric_figures',
  text: `
    select figures from metric_figures
    where name = $1 and read_at > $2::timestamptz`,
}

/**
 * Figures of the whole platform, for the metrics of any process. `read` runs at most once in ten seconds over all
 * processes, however many are scraped; the others read one row. Null when nobody could read them for a minute.
 */
export async function sharedFigures<T>(name: string, read: () => Promise<T>): Promise<T | null> {
  const [claimed] = await executeOnPlatform(CLAIM, [name, now().toISOString(), ago(FRESH_SECONDS)])
  if (claimed) await save(name, await read())
  const [[figures = null] = []] = await executeOnPlatform(READ, [name, ago(STALE_SECONDS)])
  return figures === null ? null : JSON.parse(figures)
}

const save = (name: string, figures: unknown) =>
  executeOnPlatform(SAVE, [name, JSON.stringify(figures), now().toISOString()])

const ago = (seconds: number): string => inMs(-seconds * SECOND_MS).toISOString()
