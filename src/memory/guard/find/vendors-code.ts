import { shape } from './token-shape.ts'

/** Tokens of places where code is kept, built and published, and of models. Each group names its source. */
export const CODE_TOKENS = [
  // https://github.blog/engineering/behind-githubs-new-authentication-token-formats/
  shape('github_token', 'ghp_ gho_ ghu_ ghs_ ghr_', 'word', 36, 255),
  shape('github_token', 'github_pat_', 'word', 50, 255),
  // https://github.blog/changelog: tokens of installations carry a JWT
  shape('github_token', 'ghs_', 'dotted', 100, 4_096),
  // https://docs.gitlab.com/security/tokens/#token-prefixes
  shape(
    'gitlab_token',
    'glpat- gldt- glrt- glrtr- glptt- glft- glcbt- glimt- glagent- gloas- glsoat- glffct- glwt- GR1348941',
    'dotted',
    20,
    300,
  ),
  // https://support.atlassian.com/security-and-access-policies/docs/token-formats/
  shape('atlassian_token', 'ATATT3 ATCTT3 ATSTT3 ATTA', 'dotted', 60, 400),
  shape('bitbucket_password', 'ATBB', 'alnum', 24, 40),
  // https://docs.npmjs.com/about-access-tokens, https://docs.npmjs.com/cli/using-npm/config
  shape('npm_token', 'npm_', 'alnum', 36),
  shape('npm_token', '_authToken=', 'dotted', 16, 300),
  // https://pypi.org/help/#apitoken
  shape('pypi_token', 'pypi-', 'url', 60, 400),
  // https://guides.rubygems.org/api-key-scopes/
  shape('rubygems_key', 'rubygems_', 'hex', 48),
  // https://doc.rust-lang.org/cargo/reference/registry-authentication.html
  shape('crates_token', 'cio', 'alnum', 32, 36),
  // https://learn.microsoft.com/en-us/nuget/nuget-org/publish-a-package
  shape('nuget_key', 'oy2', 'alnum', 43),
  // https://github.com/clojars/clojars-web/wiki/Deploy-Tokens
  shape('clojars_token', 'CLOJARS_', 'alnum', 60),
  // https://docs.docker.com/security/access-tokens/
  shape('docker_token', 'dckr_pat_ dckr_oat_', 'url', 27, 60),
  // https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens
  shape('artifactory_key', 'AKCp', 'alnum', 60, 90),
  shape('artifactory_token', 'cmVmdGtuO', 'base64', 48, 90),
  // https://circleci.com/docs/managing-api-tokens/, https://buildkite.com/docs/apis/managing-api-tokens
  shape('circleci_token', 'CCIPAT_ CCIPRJ_', 'word', 40, 90),
  shape('buildkite_token', 'bkua_ bkct_ bkpi_', 'alnum', 40, 64),
  // https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens
  shape('sonar_token', 'sqp_ sqa_ squ_', 'hex', 40),
  // https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token
  shape('sourcegraph_token', 'sgp_ slk_', 'word', 40, 90),
  // https://docs.readme.com/main/reference/authentication, https://docs.prefect.io/v3/how-to-guides/cloud/manage-users/api-keys
  shape('readme_key', 'rdme_', 'alnum', 60, 80),
  shape('prefect_key', 'pnu_ pnb_', 'alnum', 36),
  // https://learning.postman.com/docs/developer/postman-api/authentication/
  shape('postman_key', 'PMAK-', 'url', 59),
  // https://launchdarkly.com/docs/sdk/concepts/client-side-server-side
  shape('launchdarkly_key', 'sdk-', 'url', 36),
  // https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key
  shape('octopus_key', 'API-', 'upper', 25, 34),
  // https://linear.app/developers, https://developers.notion.com/docs/authorization
  shape('linear_key', 'lin_api_ lin_oauth_', 'word', 32, 128),
  shape('notion_token', 'ntn_', 'alnum', 40, 60),
  shape('notion_token', 'secret_', 'alnum', 43),
  // https://developers.figma.com/docs/rest-api/authentication/
  shape('figma_token', 'figd_ figo_ figor_ figu_', 'url', 36, 200),
  // https://platform.claude.com/docs/en/api/overview
  shape('anthropic_key', 'sk-ant-', 'url', 40, 200),
  // https://platform.openai.com/docs/api-reference/authentication
  shape('openai_key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', 'url', 40, 240),
  // The form of many services of models: OpenAI's first keys, DeepSeek, OpenRouter, Langfuse, LiteLLM.
  shape('model_key', 'sk-', 'url', 20, 200),
  // https://elevenlabs.io/docs/api-reference/authentication
  shape('elevenlabs_key', 'sk_', 'hex', 40, 64),
  // https://huggingface.co/docs/hub/security-tokens
  shape('huggingface_token', 'hf_ api_org_', 'alnum', 30, 40),
  // https://console.groq.com/docs/quickstart, https://docs.x.ai/docs/overview, https://docs.perplexity.ai
  shape('groq_key', 'gsk_', 'alnum', 48, 64),
  shape('xai_key', 'xai-', 'alnum', 60, 100),
  shape('perplexity_key', 'pplx-', 'alnum', 32, 64),
  // https://inference-docs.cerebras.ai/quickstart, https://docs.nvidia.com/nim, https://docs.fireworks.ai
  shape('cerebras_key', 'csk-', 'alnum', 32, 64),
  shape('nvidia_key', 'nvapi-', 'url', 50, 90),
  shape('fireworks_key', 'fw_', 'alnum', 20, 32),
  // https://replicate.com/docs/topics/security/api-tokens, https://docs.together.ai, https://docs.voyageai.com
  shape('replicate_token', 'r8_', 'alnum', 37, 40),
  shape('together_key', 'tgp_v1_', 'url', 40, 50),
  shape('voyage_key', 'pa-', 'url', 40, 50),
  // https://docs.tavily.com, https://jina.ai/reader, https://docs.firecrawl.dev
  shape('tavily_key', 'tvly-', 'url', 28, 60),
  shape('jina_key', 'jina_', 'url', 50, 80),
  shape('firecrawl_key', 'fc-', 'hex', 32),
  // https://docs.langchain.com/langsmith/create-account-api-key
  shape('langsmith_key', 'lsv2_pt_ lsv2_sk_', 'word', 40, 60),
]
