import type { Profile } from '#features/account/schemas.ts'
import type { OrderView, PackageList, PaymentMethodView } from '#features/billing/schemas.ts'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { CustomEditView } from '#features/custom-edits/schemas.ts'
import type { FileView, GenerationView, PreviewView } from '#features/generations/schemas.ts'
import type { AgeView, GuardianLink } from '#features/guardians/schemas.ts'
import type { AuthUser, TokenClaims } from '#shared/session.ts'
import type { Site } from '#shared/site.ts'
import type { ToolView } from '#tools/contract/schemas.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { passportPresets } from '#tools/passport-photo/contract/presets.ts'
import type { Routes } from './stub-api.ts'

const dayMs = 24 * 60 * 60_000
export const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

export const sari: AuthUser = { id: 'u-sari', name: 'Sari', email: 'sari@contoh.test', role: 'user' }
export const staff: AuthUser = { id: 'u-kepala', name: 'Kepala', email: 'kepala@contoh.test', role: 'admin' }
export const designer: AuthUser = { id: 'u-dinda', name: 'Dinda', email: 'dinda@contoh.test', role: 'designer' }

const encoded = (value: unknown) => {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** An access token of a session, valid for a day. */
export function tokenOf(sub: AuthUser, claims: Partial<TokenClaims> = {}): string {
  const now = Math.floor(Date.now() / 1000)
  return [{ alg: 'HS256' }, { sub, sid: `s-${sub.id}`, iat: now, exp: now + 86_400, ...claims }, 'x']
    .map(encoded)
    .join('.')
}

/** A picture of one colour as a file, of the type that its name says. */
export async function pictureFile(width = 64, height = width, name = 'foto.png', colour = '#a86f4b'): Promise<File> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context) {
    context.fillStyle = colour
    context.fillRect(0, 0, width, height)
  }
  const type = name.endsWith('.jpg') ? 'image/jpeg' : 'image/png'
  return new File([await canvas.convertToBlob({ type })], name, { type })
}

/** A photo as cameras store it: on its side, with the orientation that turns it upright. */
export async function sidewaysPhoto(uprightWidth: number, uprightHeight: number): Promise<File> {
  const canvas = new OffscreenCanvas(uprightHeight, uprightWidth)
  canvas.getContext('2d')?.fillRect(0, 0, uprightHeight / 2, uprightWidth)
  const jpeg = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer())
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  const segment = [0xff, 0xe1, 0, exif.length + 2, ...exif]
  const parts = [jpeg.slice(0, 2), new Uint8Array(segment), jpeg.slice(2)]
  return new File(parts, 'miring.jpg', { type: 'image/jpeg' })
}

/** A picture's address that needs no server. */
export const pictureAddress = (width: number, height = width, colour = 'teal') =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/></svg>`,
  )}`

const fileOf = (id: string, width: number, height: number, colour: string): FileView => ({
  id,
  name: `${id}.png`,
  contentType: 'image/png',
  width,
  height,
  bytes: 24_000,
  url: pictureAddress(width, height, colour),
})

/** A generation that has succeeded, unless its status says otherwise. */
export function generationOf(
  id: string,
  own: Partial<GenerationView> & { size?: [number, number] } = {},
): GenerationView {
  const { size: [width, height] = [512, 600], ...fields } = own
  const tool = (fields.tool ?? 'background-removal') as ToolId
  const ended = !['queued', 'detecting', 'generating'].includes(fields.status ?? 'succeeded')
  const made = (fields.status ?? 'succeeded') === 'succeeded'
  const [input = 'image'] = Object.keys(toolContracts[tool].inputs)
  return {
    id,
    change: 1,
    tool,
    status: 'succeeded',
    progress: ended ? 1 : 0,
    position: null,
    test: false,
    engineVersion: null,
    credits: 5,
    params: { ...toolContracts[tool].defaults },
    provider: 'local',
    warnings: [],
    error: null,
    facts: {},
    inputs: [{ ...fileOf(`${id}-in`, width, height, 'sienna'), input }],
    outputs: made ? [{ ...fileOf(`${id}-out`, width, height, 'teal'), label: null }] : [],
    thumbnailUrl: made ? pictureAddress(96, 96, 'teal') : null,
    rendering: { position: 0, oldest: 0, newest: 0 },
    refundRequest: null,
    createdAt: inDays(-1),
    finishedAt: ended ? inDays(-1) : null,
    expiresAt: inDays(29),
    ...fields,
  }
}

export const tools: ToolView[] = Object.values(toolContracts).map(({ id, route, inputs }) => ({
  id,
  route,
  enabled: true,
  message: null,
  credits: 5,
  markRequired: false,
  others: [],
  remote: {},
  inputs: inputs as ToolView['inputs'],
}))

export const site: Site = {
  supportEmail: 'bantuan@contoh.test',
  welcomeCredits: 40,
  dataOfficer: { name: 'Dewi Lestari', email: 'data@contoh.test' },
  pseNumber: '012345.01/DJAI.PSE/11/2026',
  complaints: { email: 'aduan@contoh.test', phone: '+62 812-3456-7890' },
  age: { minimum: 13, adult: 18, needsGuardian: true, guardianDays: 7 },
  retention: [
    { kind: 'inputs', days: 7 },
    { kind: 'results', days: 30 },
  ],
}

export const adultAge: AgeView = {
  birthYear: 1990,
  band: 'adult',
  guardian: 'not_needed',
  guardianEmail: null,
  dueAt: null,
  closesAt: null,
}

/** The guardian has not decided. */
export const minorAge: AgeView = {
  ...adultAge,
  birthYear: 2010,
  band: 'minor',
  guardian: 'waiting',
  guardianEmail: 'ibu@contoh.test',
  closesAt: inDays(14),
}

export const guardianLink: GuardianLink = {
  state: 'open',
  name: 'Bayu',
  email: 'bayu@contoh.test',
  birthYear: 2010,
  adultAge: 18,
  version: '2026-11',
  givenAt: null,
  closesAt: inDays(14),
  mayRevoke: false,
}

export const balanceOf = (credits: number): CreditBalance => ({
  credits,
  given: Math.max(credits, 25),
  unlimitedUntil: null,
  welcomeRefused: null,
  grants: credits > 0 ? [{ remaining: credits, expiresAt: inDays(60), source: 'welcome' }] : [],
  updatedAt: new Date().toISOString(),
})

export const profileOf = (user: AuthUser): Profile => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  language: 'id',
  theme: null,
  hasPassword: true,
  providers: [],
  createdAt: inDays(-30),
})

export const packages: PackageList = {
  idrPerUsd: 16_000,
  ppnPercent: null,
  items: [
    { id: 'starter', name: 'Starter', cents: 300, idr: 48_000, credits: 60, days: 30 },
    { id: 'pro', name: 'Pro', cents: 900, idr: 144_000, credits: 220, days: 30 },
    { id: 'unlimited', name: 'Unlimited', cents: 2900, idr: 464_000, credits: null, days: 30 },
  ],
}

const method = (id: PaymentMethodView['id'], name: string, kind: PaymentMethodView['kind']): PaymentMethodView => ({
  id,
  name,
  kind,
  image: pictureAddress(64, 24),
  min: 10_000,
  max: 10_000_000,
  expiresInSeconds: 86_400,
  approvalSeconds: id === 'ovo' ? 60 : null,
  asksMobileNumber: id === 'ovo',
  driver: 'xendit',
})
export const paymentMethods = [
  method('qris', 'QRIS', 'qris'),
  method('bca', 'BCA', 'bank'),
  method('ovo', 'OVO', 'wallet'),
  method('dana', 'DANA', 'wallet'),
]

/** A request whose id is its title. */
export const editOf = (id: string, own: Partial<CustomEditView> = {}): CustomEditView => ({
  id,
  status: 'new',
  title: id,
  whatsapp: '+6281234567890',
  email: sari.email,
  description: 'Dibersihkan, ya',
  generationId: null,
  attachments: [],
  results: [],
  reason: null,
  messages: [],
  version: 1,
  canReopen: false,
  rating: null,
  canRate: false,
  createdAt: inDays(-1),
  dueAt: inDays(2),
  takenAt: null,
  finishedAt: null,
  ...own,
})

/** An unpaid order by bank transfer to a virtual account. */
export const orderOf = (id: string, own: Partial<OrderView> = {}): OrderView => ({
  id,
  status: 1,
  voucher: null,
  idrPerUsd: 16_000,
  subtotalIdr: 48_000,
  discountIdr: 0,
  transferDigits: 0,
  totalIdr: 48_000,
  ppnPercent: null,
  ppnIdr: 0,
  method: 'bca',
  invoiceBuyer: null,
  invoiceNumber: null,
  receiptNumber: null,
  moneyProblem: null,
  proofSent: false,
  canCancel: true,
  canPayAgain: false,
  canChangeInvoice: true,
  canReportTransfer: false,
  createdAt: inDays(0),
  paidAt: null,
  package: { id: 'starter', name: 'Starter', cents: 300, credits: 60, days: 30 },
  payment: {
    driver: 'xendit',
    status: 'open',
    url: null,
    vaNumber: '8808123456',
    qrContent: null,
    account: null,
    expiresAt: inDays(1),
  },
  expiresAt: inDays(1),
  history: [{ from: null, to: 1, by: 'buyer', reason: 'created', at: inDays(0) }],
  ...own,
})

/** A visitor's preview: a picture of one colour. */
async function previewOutput(): Promise<PreviewView['outputs'][number]> {
  const file = await pictureFile(64, 75, 'pratinjau.png', '#1f7a5a')
  const data = btoa(String.fromCharCode(...new Uint8Array(await file.arrayBuffer())))
  return { label: null, contentType: file.type, width: 64, height: 75, data }
}

const page = (items: unknown[] = []) => ({ items, nextCursor: null })

/** Answers to calls of every page; tests replace those that matter. */
export const usualRoutes = (user: AuthUser | null, credits: number): Routes => ({
  'GET /api/tools': { items: tools },
  'GET /api/auth/providers': { google: false, facebook: false, passkey: false },
  'GET /api/announcements': { items: [] },
  'GET /api/site': site,
  'GET /api/packages': packages,
  'GET /api/payment_methods': { items: paymentMethods },
  'GET /api/passport_presets': { items: passportPresets },
  'GET /api/locations': { items: [] },
  'POST /api/tools/*/preview': async () => ({ outputs: [await previewOutput()], warnings: [] }),
  'POST /api/tools/*/check': { credits: 5, facts: {}, faces: [], warnings: [], problems: [], checks: [] },
  'GET /api/version': { version: '1' },
  'POST /api/visits': undefined,
  'POST /api/client_errors': undefined,
  ...(user && {
    'GET /api/user/me': profileOf(user),
    'PATCH /api/user/me': () => ({ ...profileOf(user), access_token: tokenOf(user) }),
    'GET /api/user/myCredit': balanceOf(credits),
    'GET /api/user/age': adultAge,
    'GET /api/user/ledger': page(),
    'GET /api/user/consents': { items: [] },
    'GET /api/user/logo': { picture: null },
    'GET /api/user/looks': { items: [], logo: null },
    'GET /api/user/push': { publicKey: null, devices: [] },
    'GET /api/user/second_factor': {
      totp: false,
      totpRemovalDueAt: null,
      recoveryCodesLeft: 0,
      passkeys: [],
      required: false,
      shown: false,
      linkOpened: false,
    },
    'GET /api/user/sessions': { items: [] },
    'GET /api/user/shared_results': { items: [] },
    'GET /api/user/api_keys': { items: [] },
    'GET /api/user/webhooks': { items: [] },
    'GET /api/generations': page(),
    'GET /api/orders': page(),
    'GET /api/custom_edits': page(),
  }),
  ...(user &&
    user.role !== 'user' && {
      // Open work, counted in the navigation.
      'GET /api/admin/dashboard': { open: {} },
      'GET /api/admin/colleagues': { items: [] },
      'GET /api/admin/custom_edits/counts': {
        open: 0,
        overdue: 0,
        ratings: 0,
        averageStars: null,
        ownRatings: 0,
        ownAverageStars: null,
      },
    }),
})
