import { lazyComponent } from '#client/lazy.ts'
import { ProfilePage } from '#features/account/app/profile-page.tsx'

const PushCard = lazyComponent(() => import('#features/push/app/push-controls.tsx'), 'PushCard', null)
const SharedLinksCard = lazyComponent(
  () => import('#features/shared-results/app/shared-links-card.tsx'),
  'SharedLinksCard',
  null,
)

const WebhooksCard = lazyComponent(() => import('#features/webhooks/app/webhooks-card.tsx'), 'WebhooksCard', null)

export function ProfileScreen() {
  return (
    <ProfilePage>
      <PushCard />
      <SharedLinksCard />
      <WebhooksCard />
    </ProfilePage>
  )
}
