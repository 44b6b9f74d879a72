import { executeOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { inMs, now, SECOND_MS } from '#shared/platform/time/clock.ts'

/** All processes show the same figures for this many seconds by default. */
const FRESH_SECONDS = 10
/** Figures that have been due for longer are not shown: the process that should refresh them cannot. */
const STALE_SECONDS = 50

// Only one process claims due figures. The others do not wait for it and show the last ones.
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
 * Returns figures of the whole platform for the metrics of any process. Over all scraped processes, `read` runs at most
 * once in `freshSeconds`, by default ten; the others read one row. Null if no process could read them for 50 seconds
 * more.
 */
export async function sharedFigures<T>(
  name: string,
  read: () => Promise<T>,
  { freshSeconds = FRESH_SECONDS } = {},
): Promise<T | null> {
  const [claimed] = await executeOnPlatform(CLAIM, [name, now().toISOString(), ago(freshSeconds)])
  if (claimed) await save(name, await read())
  const [row] = await executeOnPlatform(READ, [name, ago(freshSeconds + STALE_SECONDS)])
  const figures = row?.[0]
  return figures ? JSON.parse(figures) : null
}

const save = (name: string, figures: unknown) =>
  executeOnPlatform(SAVE, [name, JSON.stringify(figures), now().toISOString()])

const ago = (seconds: number): string => inMs(-seconds * SECOND_MS).toISOString()
