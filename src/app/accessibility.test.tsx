import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { staffPages } from '#features/admin/pages.ts'
import { pageDetails, pagePaths } from '#shared/pages.ts'
import type { AuthUser } from '#shared/session.ts'
import { setText, smallTargets } from '#tests/support/components/layout.ts'
import { navigateInApp, openApp } from '#tests/support/components/open-app.tsx'
import {
  generationOf,
  guardianLink,
  minorAge,
  orderOf,
  pictureFile,
  sari,
  staff,
} from '#tests/support/components/samples.ts'
import { staffRoutes } from '#tests/support/components/staff-samples.ts'
import { type Routes, refusal } from '#tests/support/components/stub-api.ts'
import { settled, violations } from '#tests/support/components/violations.ts'
import { elementsBeyond } from '#tests/support/elements-beyond.ts'
import { toolContracts } from '#tools/contracts.ts'

type Size = readonly [number, number]
const phone = [390, 844] as const
const looks = [
  ['id', phone, 'light'],
  ['en', [1280, 800], 'dark'],
  ['id', [1280, 800], 'light'],
  ['en', phone, 'dark'],
] as const satisfies readonly (readonly ['id' | 'en', Size, string])[]
type Look = (typeof looks)[number]

const order = orderOf('o1')
const memberRoutes: Routes = {
  'GET /api/orders/*': order,
  'POST /api/orders/*/check': order,
  'GET /api/orders': { items: [order], nextCursor: null },
  'GET /api/generations': { items: [generationOf('g1')], nextCursor: null },
  'GET /api/generations/*': generationOf('g1'),
}

const tools = Object.values(toolContracts).map(({ route }) => route)
/** Redirects without a screen. */
const leading = ['/auth', '/auth/callback', '/logout']
const open = pagePaths.filter((path) => !pageDetails(path).access && !leading.includes(path))
const areas: { name: string; user?: AuthUser; api: Routes; paths: string[] }[] = [
  {
    name: 'visitors',
    api: {
      'POST /api/shared_results/*/open': refusal(404, 'shared_result.not_found', 'Tautan ini sudah tidak berlaku'),
      'GET /api/reset_password/*': { items: [] },
      'GET /api/guardian_consents/*': guardianLink,
    },
    paths: [...open.map((path) => path.replace(':token', 'abc')), ...tools, '/tidak-ada'],
  },
  {
    name: 'members',
    user: sari,
    api: memberRoutes,
    paths: [
      ...['/', '/billing', '/profile', '/history', '/history?id=g1', '/checkout', '/customize-edit'],
      ...['/checkout', '/payment-success', '/payment-failed'].map((path) => `${path}?order=o1`),
    ],
  },
  {
    name: 'minors',
    user: sari,
    api: { ...memberRoutes, 'GET /api/user/age': minorAge },
    paths: ['/', '/ai-swap-face', '/customize-edit'],
  },
  {
    name: 'staff',
    user: staff,
    api: staffRoutes,
    paths: Object.keys(staffPages).map((path) => path.replace('/users/:id', `/users/${sari.id}`).replace(':id', 'o1')),
  },
]

/** Each page has one of the four looks; in the soak it has all. */
const pagesOf = <Page,>(all: readonly Page[], look: Look) =>
  import.meta.env.SOAK ? all : all.filter((_, index) => index % looks.length === looks.indexOf(look))

/** On phones also overflow of a normal, a narrow and a 200 % text layout, and low controls. */
async function faults([, size, theme]: Look, isDense: boolean): Promise<string[]> {
  document.documentElement.dataset.theme = theme
  const found: string[] = []
  const note = (where: string, problems: string[]) => found.push(...problems.map((problem) => `${where}: ${problem}`))
  note('axe', await violations())
  if (size !== phone) return found
  note('390 pixels', elementsBeyond(innerWidth))
  if (!isDense) note('targets', smallTargets())
  await page.viewport(360, 640)
  await setText(200)
  note('text twice as large', elementsBeyond(innerWidth))
  void setText(100)
  await page.viewport(320, 720)
  await settled()
  note('320 pixels', elementsBeyond(innerWidth))
  await page.viewport(...phone)
  return found
}

it.each(areas.flatMap((area) => looks.map((look) => [area.name, ...look, area, look] as const)))(
  'has no accessible fault and nothing too wide on pages of %s in %s, %s, %s',
  async (_name, language, size, _theme, { user, api, paths }, look) => {
    await openApp('/pricing', { user, language, size, api })
    for (const path of pagesOf(paths, look)) {
      navigateInApp(path)
      await expect.poll(() => document.querySelector('h1')?.checkVisibility()).toBe(true)
      if (path.startsWith('/admin/')) expect(location.pathname).toBe(path)
      expect.soft(await faults(look, path.startsWith('/admin/')), path).toEqual([])
    }
  },
)

it.each(looks.map((look) => [...look, look] as const))(
  'has no fault in the studio of tools with a picture in %s, %s, %s',
  async (language, size, _theme, look) => {
    const pictureTools = Object.values(toolContracts).filter(({ inputs }) =>
      Object.values<{ kind: string }>(inputs).every(({ kind }) => kind !== 'video'),
    )
    await openApp('/pricing', { user: sari, language, size, api: memberRoutes })
    const file = await pictureFile(512, 600)
    for (const { route, inputs } of pagesOf(pictureTools, look)) {
      navigateInApp(route)
      const picker = () =>
        document.querySelector<HTMLInputElement>('main input[type=file][id][multiple], main input[type=file][id]')
      await expect.poll(() => location.pathname === route && picker()).not.toBeFalsy()
      const count = Object.values<{ min: number }>(inputs).reduce((sum, { min }) => sum + min, 0)
      await userEvent.upload(picker() as HTMLElement, Array(picker()?.multiple ? count : 1).fill(file))
      await expect.poll(() => document.querySelector('.studio-layout')).not.toBeNull()
      expect.soft(await faults(look, false), route).toEqual([])
    }
  },
)
