import { shape } from './token-shape.ts'

/** Tokens of services for payments, mail, chat and customers. Each group names its source. */
export const BUSINESS_TOKENS = [
  // https://docs.stripe.com/keys
  shape('stripe_key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_', 'word', 16, 250),
  // https://docs.stripe.com/webhooks and https://www.standardwebhooks.com
  shape('webhook_secret', 'whsec_', 'base64', 24, 100),
  // https://developer.squareup.com/docs/build-basics/access-tokens
  shape('square_token', 'sq0atp- sq0csp-', 'url', 22, 50),
  // https://developers.facebook.com/docs/facebook-login/guides/access-tokens, whose tokens Square's share a beginning with
  shape('facebook_token', 'EAA', 'alnum', 57, 400),
  // https://developers.mollie.com/docs/api-keys
  shape('mollie_key', 'live_', 'alnum', 30, 40),
  // https://plaid.com/docs/api/tokens/
  shape('plaid_token', 'access-sandbox- access-development- access-production-', 'url', 36),
  // https://developer.flutterwave.com/docs/authentication
  shape('flutterwave_key', 'FLWSECK- FLWSECK_TEST-', 'url', 32, 50),
  // https://docs.easypost.com/docs/authentication, https://docs.goshippo.com, https://duffel.com/docs/api
  shape('easypost_key', 'EZAK EZTK', 'alnum', 54),
  shape('shippo_token', 'shippo_live_ shippo_test_', 'hex', 40),
  shape('duffel_token', 'duffel_live_ duffel_test_', 'url', 40, 50),
  // https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens
  shape('shopify_token', 'shpat_ shpca_ shppa_ shpss_ shprt_ shpsb_ shptka_', 'alnum', 32, 64),
  // https://docs.slack.dev/authentication/tokens
  shape('slack_token', 'xoxb- xoxp- xoxa- xoxr- xoxo- xoxs- xoxe- xapp- xwfp-', 'url', 20, 400),
  shape('slack_token', 'xoxe.xoxb- xoxe.xoxp-', 'url', 40, 400),
  shape(
    'slack_webhook',
    'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/',
    'base64',
    30,
    120,
  ),
  // https://docs.discord.com/developers/resources/webhook
  shape('discord_webhook', 'discord.com/api/webhooks/ discordapp.com/api/webhooks/', 'path', 60, 120),
  // https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
  shape('teams_webhook', 'webhook.office.com/webhookb2/', 'path', 80, 300),
  // https://www.twilio.com/docs/iam/api-keys
  shape('twilio_key', 'SK', 'hex', 32),
  // https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  shape('sendgrid_key', 'SG.', 'dotted', 50, 80),
  // https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/
  shape('mailgun_key', 'key-', 'hex', 32),
  // https://developers.brevo.com/docs/api-key-authentication
  shape('brevo_key', 'xkeysib- xsmtpsib-', 'url', 64, 100),
  // https://developers.intercom.com/docs/build-an-integration/learn-more/authentication
  shape('intercom_token', 'dG9rO', 'base64', 40, 90),
  // https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication
  shape('hubspot_token', 'pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-', 'url', 36),
  // https://airtable.com/developers/web/guides/personal-access-tokens
  shape('airtable_token', 'pat', 'dotted', 79),
  // https://www.contentful.com/developers/docs/references/authentication/
  shape('contentful_token', 'CFPAT-', 'url', 40, 50),
  // https://www.typeform.com/developers/get-started/personal-access-token/
  shape('typeform_token', 'tfp_', 'dotted', 40, 70),
  // https://www.dropbox.com/developers/documentation/http/documentation
  shape('dropbox_token', 'sl.', 'dotted', 100, 2_000),
  // https://docs.mapbox.com/help/dive-deeper/access-tokens/
  shape('mapbox_token', 'sk.eyJ', 'dotted', 50, 200),
  // https://developer.frame.io, https://wakatime.com/developers, https://developer.adobe.com
  shape('frameio_token', 'fio-u-', 'url', 64),
  shape('wakatime_key', 'waka_', 'url', 36),
  shape('adobe_client_secret', 'p8e- p8-', 'url', 28, 40),
  // https://yandex.cloud/en/docs/iam/concepts/authorization/api-key
  shape('yandex_key', 'AQVN', 'url', 35, 40),
  // https://docs.x.com/fundamentals/authentication: bearer tokens of applications
  shape('x_bearer_token', 'AAAAAAAAAAAAAAAAAAAAA', 'percent', 60, 130),
]
