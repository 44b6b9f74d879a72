import { readAccess } from './access.ts'
import { runGrossStory } from './gross-story.ts'
import { type Listener, runStory } from './story.ts'
import { runSubscriptionStory } from './subscription-story.ts'

// `npm run walkthrough`: runs the story against the running sandbox and prints each call, its response and duration.
const access = await readAccess()
const started = performance.now()
let calls = 0

console.log(`Whole orders, from catalog to refund, and a year of subscriptions, against ${access.base_url}`)
const listener: Listener = {
  chapter: (title) => console.log(`\n${title}`),
  call({ line, status, brief, ms }) {
    calls += 1
    console.log(`  ${status}  ${`${ms.toFixed(0)} ms`.padStart(7)}  ${line}\n${' '.repeat(16)}${brief}`)
  },
}
await runStory(access, listener)
await runGrossStory(access, listener)
await runSubscriptionStory(access, listener)
console.log(
  `\n${calls} calls, all as they should be, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
)
