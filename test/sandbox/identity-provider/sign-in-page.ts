import { text } from 'node:stream/consumers'
import type { Context, Middleware, Next } from 'koa'
import type Provider from 'oidc-provider'
import type { Person } from './people.ts'

/** GET /sign-in/{uid} lists the people. POST with `sub` signs that person in; without, it cancels the sign-in. */
export function signInPages(provider: Provider, people: Map<string, Person>): Middleware {
  return async (ctx: Context, next: Next) => {
    if (!/^\/sign-in\/[\w-]+$/.test(ctx.path)) return next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method === 'GET') {
      ctx.type = 'html'
      ctx.body = page(ctx.path, [...people.values()])
      return
    }
    const sub = new URLSearchParams(await text(ctx.req)).get('sub')
    const result = sub ? { login: { accountId: sub } } : { error: 'access_denied' }
    ctx.redirect(
      await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false }),
    )
  }
}

const page = (path: string, people: Person[]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandbox identity provider</title></head>
<body>
<h1>Who are you?</h1>
<form method="post" action="${path}">
${people.map(button).join('\n')}
<p><button>Nobody: go back</button></p>
</form>
</body>
</html>
`

const button = ({ sub, given_name, family_name, email, email_verified }: Person) =>
  `<p><button name="sub" value="${sub}">${given_name} ${family_name}</button> ${email}${email_verified ? '' : ' (not verified)'}</p>`
