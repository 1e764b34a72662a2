import type { AdminUserDetail, UserSummary } from '#features/account/admin/schemas.ts'
import type { Dashboard, Figures, Funnel } from '#features/admin/schemas.ts'
import type { Announcement } from '#features/announcements/schemas.ts'
import type { AuditEntryView } from '#features/audit/schemas.ts'
import type { Revenue } from '#features/billing/admin/report-schemas.ts'
import type { AdminOrderView, PriceHistory, VoucherView } from '#features/billing/admin/schemas.ts'
import type { AdminLocation } from '#features/locations/schemas.ts'
import { inDays, orderOf, sari, staff } from './samples.ts'
import type { Routes } from './stub-api.ts'

export const userDetail: AdminUserDetail = {
  ...sari,
  duty: null,
  disabled: false,
  tags: ['pelanggan lama'],
  verified: true,
  credits: 25,
  createdAt: inDays(-9),
  factors: { totp: true, passkeys: 0 },
  note: 'Sering memesan pasfoto',
  age: { band: 'minor', guardian: 'waiting' },
  changes: [],
}

export const userSummary: UserSummary = {
  credits: 25,
  unlimitedUntil: null,
  generations: 12,
  failedGenerations: 1,
  lastGenerationAt: inDays(-1),
  paidOrders: 1,
  paidIdr: 48_000,
  refundRequests: 0,
  sessions: [],
}

/** An order without payment. */
export const adminOrder: AdminOrderView = {
  ...orderOf('o1'),
  buyer: { id: sari.id, name: sari.name, email: sari.email, role: 'user', duty: null },
  assignee: null,
  dueAt: null,
  driver: 'manual',
  attempts: [{ id: 'a1', method: 'qris', status: 'failed', amountIdr: 48_000, at: '2026-08-01T09:00:00.000Z' }],
  payments: [],
  refunds: [],
  receivedIdr: 0,
  gatewayRefunds: [],
  refundableByGateway: false,
  refundedIdr: 0,
  refundableIdr: 0,
  history: [],
}

const figures: Figures = {
  revenueIdr: 480_000,
  orders: 10,
  newUsers: 30,
  activeUsers: 25,
  generations: 200,
  failed: 4,
  medianSeconds: 3,
  creditsSold: 600,
  creditsSpent: 400,
  creditsExpired: 20,
}
const { medianSeconds: _, ...dayFigures } = figures
const nothingOpen = {
  queued: 1,
  running: 1,
  ordersAwaiting: 2,
  paymentProblems: 1,
  refundRequests: 3,
  contentReports: 0,
  creditApprovals: 1,
  orderApprovals: 0,
  voucherApprovals: 0,
  customEdits: 2,
  customEditsOverdue: 1,
  differences: 1,
}
const dashboard: Dashboard = {
  period: '30d',
  now: figures,
  before: { ...figures, orders: 8, failed: 6 },
  series: ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => ({ day, ...dayFigures })),
  tools: [{ tool: 'background-removal', generations: 150, failed: 2, medianSeconds: 2 }],
  open: nothingOpen,
}

const steps = { visits: 200, visitors: 100, registered: 40, started: 30, paid: 8 }
const funnel: Funnel = {
  from: '2026-11-01',
  to: '2026-11-28',
  unit: 'day',
  total: steps,
  items: [{ day: '2026-11-28', ...steps }],
}

const row = {
  name: null,
  orders: 10,
  chargedIdr: 480_000,
  receivedIdr: 480_000,
  refunds: 1,
  refundedIdr: 48_000,
  netIdr: 432_000,
}
const revenue: Revenue = {
  rows: [{ by: 'package', ...row, name: 'Starter' }],
  total: { by: 'total', ...row },
  outsideIdr: 0,
  liability: { paidCredits: 500, freeCredits: 100, creditsIdr: 400_000, unlimitedPeople: 1, unlimitedIdr: 200_000 },
}

export const priceHistory: PriceHistory = {
  items: [
    {
      id: 'starter',
      versions: [
        {
          version: 1,
          name: 'STARTER',
          cents: 1000,
          credits: 249,
          days: 30,
          position: 1,
          active: true,
          at: inDays(-9),
          by: null,
        },
      ],
    },
  ],
  idrPerUsd: 16_000,
  rateVersion: 1,
  rates: [],
}

export const voucher: VoucherView = {
  id: 'v1',
  code: 'KAMBOJA',
  kind: 'free_credits',
  value: 5,
  days: 30,
  validFrom: null,
  validUntil: null,
  limitTotal: null,
  limitPerUser: null,
  uses: 0,
  active: true,
  version: 1,
  createdAt: inDays(-1),
  createdBy: null,
}

const announcement: Announcement = {
  id: 'a1',
  text: { id: 'Besok server dirawat', en: 'Maintenance tomorrow' },
  path: '/pricing',
  startsAt: inDays(-1),
  endsAt: null,
}

const auditEntry: AuditEntryView = {
  id: 1,
  actorId: staff.id,
  actorName: staff.name,
  action: 'tool.changed',
  before: null,
  after: null,
  subject: { kind: 'tool', id: 'swap-face' },
  reason: null,
  createdAt: inDays(-1),
}

/** Has a further page, as real lists do. */
const list = (...items: unknown[]) => ({ items, nextCursor: 'next' })

/** A row or two for each screen of the admin area. */
export const addedLocation: AdminLocation = {
  id: 'added-pantai',
  version: 4,
  name: { id: 'Pantai', en: 'Beach' },
  words: { id: 'pantai, pasir putih', en: 'beach' },
  licence: 'CC0',
  source: 'https://example.org/pantai',
  kind: 'probe',
  width: 1024,
  height: 512,
  active: true,
  picture: '/samples/locations/venice.webp',
  at: inDays(-3),
}

export const staffRoutes: Routes = {
  'GET /api/admin/*': list(),
  'GET /api/admin/*/totals': null,
  'GET /api/admin/dashboard': dashboard,
  'GET /api/admin/health': list(),
  'GET /api/admin/error_reports': list(),
  'GET /api/admin/content_reports': list(),
  'GET /api/admin/content_reports/counts': {
    reports: 0,
    waiting: 0,
    kept: 0,
    withdrawn: 0,
    limited: 0,
    limitedAccounts: 0,
    refusals: [],
  },
  'GET /api/admin/account_limits': list(),
  'GET /api/admin/notices': { mode: 'all' },
  'GET /api/admin/colleagues': { items: [] },
  'GET /api/admin/custom_edits/counts': {
    open: 2,
    overdue: 1,
    ratings: 0,
    averageStars: null,
    ownRatings: 0,
    ownAverageStars: null,
  },
  'GET /api/admin/funnel': funnel,
  'GET /api/admin/locations': list(addedLocation),
  'GET /api/admin/users': list(userDetail),
  'GET /api/admin/users/*': userDetail,
  'GET /api/admin/users/*/summary': userSummary,
  'GET /api/admin/users/*/timeline': list(),
  'GET /api/admin/orders': list(adminOrder),
  'GET /api/admin/orders/*': adminOrder,
  'GET /api/admin/packages': priceHistory,
  'GET /api/admin/tool_prices': list({ tool: 'colorizer', unit: 5, defaultUnit: 5, version: 1, history: [] }),
  'GET /api/admin/vouchers': list(voucher),
  'GET /api/admin/announcements': list({ ...announcement, version: 1 }),
  'GET /api/admin/billing_differences': { items: [], groups: [], checks: [] },
  'GET /api/admin/revenue': revenue,
  'GET /api/admin/generation_costs': { items: [], idrPerUsd: 16_000 },
  'GET /api/admin/jobs': { failing: [] },
  'GET /api/admin/tools': list({
    tool: 'swap-face',
    enabled: true,
    message: '',
    messageEn: '',
    markRequired: false,
    remoteAllowed: null,
  }),
  'GET /api/admin/audit': list(auditEntry),
}
