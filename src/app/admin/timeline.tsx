import type { ComponentProps } from 'react'
import { mailSection, Timeline } from '#features/admin/app/timeline.tsx'
import type { TimelineSection } from '#features/admin/contributions.ts'
import type { TimelineKind } from '#features/admin/rules.ts'
import { securitySection, staffSection } from '#features/audit/app/admin/labels.ts'
import { creditsSection, orderSection } from '#features/billing/app/admin/contributions.ts'
import { customEditSection } from '#features/custom-edits/app/admin/contributions.ts'
import { generationSection, refundRequestSection } from '#features/generations/app/admin/contributions.tsx'

const sections = {
  run: generationSection,
  order: orderSection,
  credits: creditsSection,
  claim: refundRequestSection,
  request: customEditSection,
  mail: mailSection,
  security: securitySection,
  staff: staffSection,
} satisfies Record<TimelineKind, TimelineSection>

export const UserTimeline = ({ user }: Pick<ComponentProps<typeof Timeline>, 'user'>) => (
  <Timeline user={user} sections={sections} />
)
