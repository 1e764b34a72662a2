import { join } from 'node:path'
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

/** Folders with separate catalogues: the first screen (part of `app`) and the staff area. */
const firstScreen = 'src/features/site/app/first-screen/**'
/**
 * Texts of a tool's page before a picture is chosen, of every tool's name, of the prices, of a
 * member's home, and of the history's list.
 */
const toolStart = [
  'src/tools/*/{contract/definition.ts,ui/page.tsx}',
  'src/tools/ui/custom-edit-entry.tsx',
  'src/features/generations/app/studio/{studio-page,empty-studio,paste-and-drop,sample-photos}.{ts,tsx}',
  'src/features/site/app/{pricing-page,packages-section,footer}.tsx',
  'src/features/billing/app/billing.tsx',
  'src/features/site/app/member-home.tsx',
  'src/features/generations/app/{recent/recent-work,low-credits/low-credits,history/{tile,history-list,history-page}}.tsx',
  'src/features/uploads/app/{queue-archive-buttons,upload-list}.tsx',
  'src/features/generations/app/labels.ts',
]
/** A part of `ui` that only opens over a page. */
const lateParts = 'src/ui/reason-sheet.tsx'
const staff = [
  'src/{app/admin,features/admin/app,features/*/app/admin,ui/admin}/**',
  'src/tools/tool-name.ts',
  'src/features/admin/pages.ts',
]

export default defineConfig({
  rootDir: join(import.meta.dirname, '..'),
  sourceLocale: 'id',
  locales: ['id', 'en'],
  fallbackLocales: { default: 'id' },
  // src/client/i18n.ts loads each catalogue when it is needed. Server texts are not extracted.
  catalogs: [
    {
      path: '<rootDir>/locale/{locale}/app',
      include: [`{src/{app,client,shared,ui}/**,${firstScreen}}`],
      exclude: [lateParts, ...staff],
    },
    { path: '<rootDir>/locale/{locale}/tools', include: toolStart },
    {
      path: '<rootDir>/locale/{locale}/pages',
      include: ['src/{features/*/*.ts,features/*/app/**,tools/**}', lateParts],
      exclude: [firstScreen, ...toolStart, ...staff],
    },
    { path: '<rootDir>/locale/{locale}/admin', include: staff },
  ],
  orderBy: 'messageId',
  // Line numbers would cause merge conflicts after every change of the code.
  format: formatter({ lineNumbers: false }),
})
