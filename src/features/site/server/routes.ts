import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { AppEnv } from '#server/http/env.ts'
import { version } from '#server/version.ts'
import { type } from '#shared/schema.ts'
import type { SiteView } from '#shared/site-view.ts'

const site = type({ supportEmail: 'string' })
const running = type({ version: type('string').describe('semantic version of the program') })

export function siteRoutes({ config }: Pick<Deps, 'config'>) {
  return new Hono<AppEnv>()
    .get(
      '/site',
      documented('Get the public site settings', respondsWith(200, 'The settings', site), { security: [] }),
      (c) => c.json({ supportEmail: config.supportEmail } satisfies SiteView),
    )
    .get(
      '/version',
      documented('Get the running version', respondsWith(200, 'The version', running), { security: [] }),
      (c) => c.json({ version }),
    )
}
