import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import { showTexts } from './i18n/index.ts'
import { countNavigations } from './navigations.ts'
import { redirectAfterSignIn } from './redirectAfterSignIn.ts'
import { hasProject, loadSession, pendingSession, session } from './session.ts'
import { guardUnsaved } from './unsaved.ts'
import { reloadAfterUpgrade } from './upgrade.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Folder under src/pages with the page's texts. */
    page?: string
    /** Other pages whose texts it also uses. */
    also?: readonly string[]
    /** Accessible without a session, and shown without the shell. */
    open?: true
  }
}

/** Defines the route of a page in `src/pages/<page>`. Its component and texts are loaded when it is first shown. */
function page(
  page: string,
  path: string,
  component: () => Promise<unknown>,
  more: { name?: string; open?: true; also?: readonly string[] } = {},
): RouteRecordRaw {
  const { name = page, open, also } = more
  return {
    path,
    name,
    // Route parameters become props of the page.
    props: true,
    meta: { page, ...(open ? { open } : {}), ...(also ? { also } : {}) },
    component: component as never,
  }
}

const routes: RouteRecordRaw[] = [
  page('setup', '/setup', () => import('./pages/setup/SetupPage.vue'), { open: true }),
  page('signIn', '/sign-in', () => import('./pages/signIn/SignInPage.vue'), { open: true }),
  page('signedOn', '/signed-on', () => import('./pages/signedOn/SignedOnPage.vue'), { open: true }),
  page('passwordReset', '/password-reset', () => import('./pages/passwordReset/PasswordResetPage.vue'), { open: true }),
  page('enrolment', '/second-factor', () => import('./pages/enrolment/EnrolmentPage.vue'), {
    open: true,
    also: ['profile'],
  }),
  page('email', '/email', () => import('./pages/email/EmailPage.vue'), { open: true }),
  page(
    'forgottenPassword',
    '/forgotten-password',
    () => import('./pages/forgottenPassword/ForgottenPasswordPage.vue'),
    { open: true },
  ),
  page('invitation', '/invitation', () => import('./pages/invitation/InvitationPage.vue'), { open: true }),
  {
    path: '/',
    component: () => import('./shell/ConsoleShell.vue'),
    children: [
      page('projects', '', () => import('./pages/projects/ProjectsPage.vue')),
      // The part that the addresses of a project's pages begin with.
      { path: 'projects', redirect: { name: 'projects' } },
      page('profile', 'profile', () => import('./pages/profile/ProfilePage.vue')),
      page('reviews', 'reviews', () => import('./pages/reviews/ReviewsPage.vue'), {
        also: ['approvals', 'apps', 'blocks'],
      }),
      // Mails that were sent by earlier versions.
      { path: 'approvals', redirect: { name: 'reviews' } },
      page('feedback', 'reports', () => import('./pages/feedback/ReportsPage.vue'), { name: 'reports' }),
      page('feedback', 'reports/:feedbackId', () => import('./pages/feedback/MessagePage.vue'), { name: 'report' }),
      page('platform', 'platform', () => import('./pages/platform/PlatformPage.vue'), { also: ['events'] }),
      page('events', 'platform/events/:endpointId', () => import('./pages/events/EventEndpointPage.vue'), {
        name: 'eventEndpoint',
      }),
      page('users', 'users', () => import('./pages/users/UsersPage.vue'), { also: ['blocks'] }),
      page('accounts', 'accounts', () => import('./pages/accounts/AccountsPage.vue')),
      page('reference', 'reference', () => import('./pages/reference/ReferencePage.vue')),
      {
        path: 'projects/:projectId',
        children: [
          page('overview', '', () => import('./pages/overview/OverviewPage.vue'), { also: ['blocks'] }),
          page('apps', 'apps', () => import('./pages/apps/AppsPage.vue')),
          page('apps', 'apps/:appid', () => import('./pages/apps/AppPage.vue'), {
            name: 'app',
            also: ['approvals', 'audit', 'blocks', 'releases', 'reviews'],
          }),
          page('apps', 'apps/:appid/settings', () => import('./pages/apps/AppSettingsPage.vue'), {
            name: 'appSettings',
            also: ['approvals', 'blocks'],
          }),
          page('releases', 'apps/:appid/releases', () => import('./pages/releases/ReleasesPage.vue'), {
            also: ['approvals', 'apps', 'blocks', 'reviews'],
          }),
          page('reviews', 'apps/:appid/releases/:releaseId/review', () => import('./pages/reviews/ReviewPage.vue'), {
            name: 'review',
            also: ['approvals', 'apps', 'blocks', 'releases'],
          }),
          page('analytics', 'apps/:appid/analytics', () => import('./pages/analytics/AnalyticsPage.vue'), {
            also: ['apps', 'blocks'],
          }),
          page('inspect', 'apps/:appid/inspect', () => import('./pages/inspect/InspectPage.vue'), { also: ['apps'] }),
          page('pagesEditor', 'apps/:appid/pages', () => import('./pages/pagesEditor/PagesEditorPage.vue'), {
            also: ['apps'],
          }),
          page('feedback', 'apps/:appid/feedback', () => import('./pages/feedback/FeedbackPage.vue'), {
            name: 'appFeedback',
            also: ['apps'],
          }),
          page('trades', 'trades', () => import('./pages/trades/TradesPage.vue')),
          page('trades', 'trades/:tradeNo', () => import('./pages/trades/TradePage.vue'), {
            name: 'trade',
            also: ['callbacks'],
          }),
          page('money', 'money', () => import('./pages/money/MoneyPage.vue')),
          page('providers', 'providers', () => import('./pages/providers/ProvidersPage.vue'), { also: ['blocks'] }),
          page('callbacks', 'callbacks', () => import('./pages/callbacks/CallbacksPage.vue')),
          page('callbacks', 'callbacks/:notifyId', () => import('./pages/callbacks/CallbackPage.vue'), {
            name: 'callback',
          }),
          page('messages', 'messages', () => import('./pages/messages/MessagesPage.vue')),
          page('feedback', 'feedback', () => import('./pages/feedback/FeedbackPage.vue')),
          page('feedback', 'feedback/:feedbackId', () => import('./pages/feedback/MessagePage.vue'), {
            name: 'feedbackMessage',
          }),
          page('requests', 'requests', () => import('./pages/requests/RequestsPage.vue')),
          page('requests', 'requests/:requestId', () => import('./pages/requests/RequestPage.vue'), {
            name: 'request',
          }),
          page('sandbox', 'sandbox', () => import('./pages/sandbox/SandboxPage.vue')),
          page('datasets', 'datasets', () => import('./pages/datasets/DatasetsPage.vue')),
          page('datasets', 'datasets/:datasetId', () => import('./pages/datasets/DatasetPage.vue'), {
            name: 'dataset',
          }),
          page('members', 'members', () => import('./pages/members/MembersPage.vue'), { also: ['blocks'] }),
          page('projectSettings', 'settings', () => import('./pages/projectSettings/ProjectSettingsPage.vue'), {
            also: ['blocks'],
          }),
          page('audit', 'audit', () => import('./pages/audit/AuditPage.vue')),
        ],
      },
      page('missing', ':path(.*)*', () => import('./pages/missing/MissingPage.vue')),
    ],
  },
]

export const router = createRouter({
  history: createWebHistory('/console/'),
  routes,
  // Scrolls to below the app bar. On pages without a session, the hash is a token.
  scrollBehavior: ({ hash, meta }, _from, saved) => saved ?? (hash && !meta.open ? { el: hash, top: 72 } : { top: 0 }),
})

guardUnsaved(router)
reloadAfterUpgrade(router)
router.beforeEach(async (to) => {
  await loadSession()
  if (to.name === 'signIn' && session.value) return redirectAfterSignIn(to.query)
  const lacksFactor = pendingSession.value?.pending === 'enrolment'
  if (lacksFactor && (!to.meta.open || to.name === 'signIn')) {
    return { name: 'enrolment', query: to.name === 'signIn' ? to.query : { next: to.fullPath } }
  }
  if (to.name === 'enrolment' && !lacksFactor) return redirectAfterSignIn(to.query)
  if (session.value || to.meta.open) return true
  return { name: 'signIn', query: to.fullPath === '/' ? {} : { next: to.fullPath } }
})
router.beforeEach(async ({ params, path, query, hash }) => {
  const { projectId } = params
  if (typeof projectId !== 'string' || (await hasProject(projectId))) return true
  return { name: 'missing', params: { path: path.slice(1).split('/') }, query, hash, replace: true }
})
router.beforeResolve(async (to) => {
  const { page, also = [] } = to.meta
  if (page) await Promise.all([page, ...also].map(showTexts))
})
countNavigations(router)
