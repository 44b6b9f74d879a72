import './silence-log.ts'
import { type ChargeKillReport, runChargeKills } from './charge-kill-run.ts'
import { type KillReport, runKills } from './kill-run.ts'
import { runHistories } from './run-histories.ts'
import { runStops, type StopReport } from './stop-run.ts'

// `npm run faults [kills] [stops] [histories]`: the long run of the fault tests, by default 1,000 workers killed at
// refunds and 1,000 at charges of saved cards, 10 stopped databases and 2,000 random histories.
const [kills = 1_000, stops = 10, histories = 2_000] = process.argv.slice(2).map(Number)

const progress = (what: string, of: number) => (n: number) => {
  if (process.stdout.isTTY) process.stdout.write(`\r${what}: ${n} of ${of}`)
  else if (n % Math.ceil(of / 20) === 0) console.log(`${what}: ${n} of ${of}`)
}

const killed = await runKills({ kills, onKill: progress('Workers killed', kills) })
console.log()
const control = await runKills({ kills: 9, ignoreIdempotencyKeys: true })
const charging = await runChargeKills({ kills, onKill: progress('Workers killed at charges', kills) })
console.log()
const chargingControl = await runChargeKills({ kills: 6, ignoreIdempotencyKeys: true })
const stopped = await runStops({ stops, onStop: progress('Databases stopped', stops) })
console.log()

console.table({ 'with keys': describeKills(killed), 'control, without keys': describeKills(control) })
console.table({
  'charges, with keys': describeKills(charging),
  'control, without keys': describeKills(chargingControl),
})
console.table({ 'database stopped at once': describeStops(stopped) })

const agree = await runHistories(histories)
const clean = isClean(killed) && isChargedOnce(charging) && isWhole(stopped) && agree
const sharp = control.doubled > 0 && chargingControl.doubled > 0
if (!sharp) console.error('A control made no refund or charge twice, so this run proves nothing.')
console.log(
  clean && sharp
    ? 'No refund and no charge was made twice, no acknowledged order was lost, and all books agree.'
    : 'FAILED',
)
process.exit(clean && sharp ? 0 : 1)

function describeKills({ kills: at, seconds, ...counted }: KillReport | ChargeKillReport) {
  const { before, after, answered, ...others } = at
  return {
    'killed before': before,
    after,
    'at the answer': answered,
    ...others,
    ...counted,
    seconds: Math.round(seconds),
  }
}

function describeStops({ answers, backAfterMs, seconds, ...counted }: StopReport) {
  return {
    ...counted,
    'answered 503': answers['503 server.unavailable'] ?? 0,
    'slowest return (ms)': Math.max(...backAfterMs),
    seconds: Math.round(seconds),
  }
}

function isClean({
  doubled,
  missing,
  wrongTotals,
  unsettled,
  wronglyPublished,
  lostEvents,
  discrepancies,
}: KillReport): boolean {
  return [doubled, missing, wrongTotals, unsettled, wronglyPublished, lostEvents, discrepancies].every(
    (count) => count === 0,
  )
}

function isChargedOnce(report: ChargeKillReport): boolean {
  const { doubled, forgotten, afterCancel, wrongTotals, discrepancies } = report
  return [doubled, forgotten, afterCancel, wrongTotals, discrepancies].every((count) => count === 0)
}

function isWhole({ lost, doubled, unpublished, discrepancies, processesSurvived }: StopReport): boolean {
  return [lost, doubled, unpublished, discrepancies].every((count) => count === 0) && processesSurvived
}
