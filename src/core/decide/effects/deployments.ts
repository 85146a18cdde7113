import type { Rule } from '../../model/policy/profile.js'
import { ask, words } from './effect-rule.js'

const PERSON = 'Read the state, and ask a person to make the change.'
const GONE = 'It removes a database or its contents, which Cordon cannot restore.'
const TESTED = 'Use a test database, or ask a person to run it.'

/** Changes of running services: platforms, orchestrators, object stores and tasks on other machines. */
export const DEPLOY_EFFECTS: readonly Rule[] = [
  ask({
    name: 'deploy',
    program: words(
      `expo amplify func clasp ng ember meteor docusaurus quarto mkdocs mike hugo pm2 dep mina cap capistrano fab sst arc architect claudia
      convex copilot chalice zappa genezio quasar gulp grunt ant turbo garden okteto kapp devspace`,
    ),
    args: [words('deploy deploy:* *:deploy gh-deploy publish push rollback undeploy delete')],
    because: 'It changes services on other machines.',
    instead: PERSON,
    hits: ['cap production deploy', 'mkdocs gh-deploy', 'amplify push --yes', 'ng deploy', 'npx convex deploy'],
    misses: ['mkdocs build', 'ng build', 'ng add x', 'hugo server', 'meteor run', 'amplify status', 'quarto render'],
  }),
  ask({
    name: 'platform-change',
    program: words(
      `vercel vc netlify ntl flyctl fly heroku wrangler firebase railway render scalingo supabase eas dokku kamal mrsk deployctl shopify modal cf
      ibmcloud koyeb northflank zeabur platform upsun clever gigalixir terminus vapor porter aptible azd now zappa`,
    ),
    args: [
      words(
        `deploy deploy:* *:deploy publish push redeploy submit release rollback promote undeploy unpublish destroy delete remove rm scale
        restart set unset add update run ssh exec invalidate put bulk *:set *:unset *:add *:remove *:scale *:release *:push *:restart
        *:reset *:destroy *:delete *:promote *:rebuild ps:exec *:kill *:stop *:disable *:on *:invoke --auto-submit --remote --set --set=* create connect sftp pg:psql pg:pull pg:push pg:copy pg:killall
        pg:restore redis:cli import *:import`,
      ),
    ],
    because: 'It changes services on other machines.',
    instead: PERSON,
    hits: [
      'railway redeploy',
      'eas submit -p ios',
      'supabase db push',
      'supabase secrets set A=b',
      'heroku ps:scale web=0 -a app',
      'fly secrets set A=b',
      'cf push',
      'kamal deploy',
      'vercel',
      'npx netlify-cli deploy --prod',
      'npx firebase-tools deploy',
      'pnpm vercel --prod',
    ],
    misses: [
      'railway status',
      'supabase start',
      'supabase db diff',
      'supabase db reset',
      'eas build --profile dev',
      'heroku logs --tail -a app',
      'vercel dev',
      'vercel --version',
      'fly status',
      'wrangler dev',
      'netlify dev',
    ],
  }),
  ask({
    name: 'deploy-up',
    program: words('railway azd okteto'),
    args: [['up', 'down']],
    because: 'It changes services on other machines.',
    instead: PERSON,
    hits: ['railway up', 'railway down', 'azd up', 'okteto up'],
    misses: ['railway status', 'azd version'],
  }),
  ask({
    name: 'cloud-operation',
    program: ['aws'],
    args: [
      words(
        `register* deregister* associate* disassociate* authorize* revoke* enable* disable* cancel* purge* reset* release* copy* change*
        execute* publish* upload* add* replace* reject* accept* schedule* unschedule* promote* failover* rotate* move* merge* grant* tag* untag* invoke*
        presign run-task leave* admin-* batch-write* batch-delete* transact-write* initiate* increase* decrease* purchase*`,
      ),
    ],
    because: 'It changes a cloud account.',
    instead: PERSON,
    hits: ['aws ec2 authorize-security-group-ingress --group-id x', 'aws lambda invoke --function-name f out.json'],
    misses: ['aws ec2 describe-instances', 'aws sts get-caller-identity', 'aws s3 ls s3://release'],
  }),
  ask({
    name: 'object-store',
    program: words('rclone s3cmd s5cmd mc mcli b2 azcopy bq s4cmd'),
    args: [
      words(
        `copy copyto sync bisync move moveto delete deletefile purge rm rmdir rmdirs put del cp mv mb rb mk mirror remove rcat cleanup
        upload-file upload_file delete-file-version setacl setpolicy policy anonymous expire insert update load`,
      ),
    ],
    because: 'It changes data in remote storage.',
    instead: PERSON,
    hits: [
      'rclone sync dist remote:bucket',
      's3cmd del s3://bucket/x',
      'mc rm --recursive store/bucket',
      'bq rm -f data',
    ],
    misses: ['rclone ls remote:bucket', 's3cmd ls', 'mc ls store', 'rclone copy remote:bucket/x dir'],
  }),
  ask({
    name: 'orchestration-change',
    program: words(
      'nomad consul vault helmfile skaffold argocd flux kubeadm istioctl linkerd waypoint boundary kops talosctl rke clusterctl argo tkn kn cilium werf',
    ),
    args: [
      words(
        `run stop dispatch drain purge restart scale promote fail exec delete revert eligibility put leave force-leave import join destroy
        maint write patch deregister gc undelete revoke enable disable move tune seal unseal rekey rotate init step-down rollback add remove update restore grant sync apply deploy install uninstall upgrade reset up submit create start converge dismiss
        set unset reconcile suspend resume generate-token initial-password terminate-op patch-resource`,
      ),
    ],
    because: 'It changes services on other machines.',
    instead: PERSON,
    hits: [
      'nomad job run x.nomad',
      'vault kv delete secret/app',
      'helmfile sync',
      'kops delete cluster x',
      'argo submit x.yaml',
      'skaffold run',
    ],
    misses: ['nomad status', 'vault kv get secret/app', 'helmfile template', 'consul members'],
  }),
  ask({
    name: 'key-value',
    program: ['etcdctl'],
    args: [
      words(
        'del compact defrag move-leader add remove promote restore grant-permission revoke-permission disable delete',
      ),
    ],
    because: 'It removes data that a cluster needs.',
    instead: PERSON,
    hits: ['etcdctl del --prefix /'],
    misses: ['etcdctl get x', 'etcdctl put x y', 'etcdctl member list'],
  }),
  ask({
    name: 'swarm-change',
    program: words('docker podman'),
    args: [
      words('stack service swarm node secret config'),
      words('deploy up down rm remove create update scale rollback init join leave promote demote'),
    ],
    because: 'It changes services on other machines.',
    instead: PERSON,
    hits: ['docker stack deploy -c x.yml app', 'docker service update --image x app', 'docker swarm leave --force'],
    misses: ['docker service ls', 'docker stack ps app', 'docker compose up -d', 'docker run --rm node npm init'],
  }),
  ask({
    name: 'state-change',
    program: words('terraform tofu terragrunt pulumi'),
    args: [
      words('state workspace stack init'),
      words('rm mv push replace-provider delete remove import -migrate-state -force-copy'),
    ],
    because: 'It changes the recorded state of the infrastructure.',
    instead: PERSON,
    hits: ['terraform state rm aws_instance.x', 'terraform workspace delete prod', 'pulumi stack rm prod'],
    misses: ['terraform state list', 'terraform state show x', 'terraform workspace new dev', 'pulumi stack ls'],
  }),
  ask({
    name: 'remote-tasks',
    program: words('ansible ansible-playbook ansible-pull salt salt-ssh knife pdsh pssh parallel-ssh clush dsh'),
    because: 'It acts on other machines, outside the sandbox.',
    instead: 'Use --syntax-check or --check, and ask a person to run it.',
    hits: ['ansible-playbook -i prod site.yml', "ansible all -m shell -a 'uptime'"],
    misses: [
      'ansible-playbook site.yml --syntax-check',
      'ansible-playbook -i x site.yml --check',
      'ansible-lint',
      'ansible --version',
    ],
  }),
  ask({
    name: 'forge-run',
    program: ['gh', 'glab'],
    args: [
      words('workflow run ci job cache codespace cs deploy-key'),
      words('run rerun cancel delete retry trigger enable disable dispatch stop rebuild ssh add'),
    ],
    because: 'It starts or stops a job on a forge (such as GitHub).',
    instead: 'Read the runs and their logs, and ask a person to start or stop them.',
    hits: ['gh workflow run deploy.yml', 'gh run rerun 123', 'gh run cancel 123', 'glab ci retry 1'],
    misses: ['gh run list', 'gh run view 123 --log-failed', 'gh workflow list', 'gh workflow view ci.yml'],
  }),
  ask({
    name: 'database-reset',
    program: words(
      'prisma sequelize sequelize-cli typeorm mikro-orm manage.py django-admin dbmate flyway liquibase diesel sqlx sea-orm-cli',
    ),
    args: [
      words(
        'db:drop db:drop:all db:migrate:undo:all schema:drop reset_db flush drop drop-all dropAll clean reset fresh refresh --force-reset',
      ),
    ],
    because: GONE,
    instead: TESTED,
    hits: [
      'prisma migrate reset --force',
      'npx sequelize-cli db:drop',
      'prisma db push --force-reset',
      './manage.py flush',
      'sea-orm-cli migrate fresh',
    ],
    misses: ['prisma generate', 'prisma migrate dev --name init', 'flyway info', 'sqlx database create'],
  }),
  ask({
    name: 'database-task',
    program: words('rails rake artisan mix hanami'),
    args: [
      words(
        'db:drop db:drop:* db:reset db:reset:* db:purge db:wipe db:migrate:reset db:truncate_all db:seed:replant db:schema:load db:structure:load migrate:fresh migrate:reset migrate:refresh ecto.drop ecto.reset',
      ),
    ],
    because: GONE,
    instead: TESTED,
    hits: ['bin/rails db:drop', 'bundle exec rake db:drop', 'mix ecto.reset'],
    misses: ['rails db:migrate', 'mix test', 'rake spec', 'rake clean', 'mix clean'],
  }),
  ask({
    name: 'production-task',
    program: words('rails rake artisan mix hanami bundle php*'),
    args: [words('db:* migrate migrate:* ecto.* runner console c dbconsole')],
    because: 'It works on the production system.',
    instead: 'Use another environment than production, or ask a person to run it.',
    hits: ['RAILS_ENV=production rails db:migrate', 'MIX_ENV=prod mix ecto.migrate'],
    misses: ['rails db:migrate', 'RAILS_ENV=test rails db:migrate', 'RAILS_ENV=production rails assets:precompile'],
  }),
  ask({
    name: 'production-target',
    program: ['dbt'],
    args: [words('run build seed snapshot run-operation'), words('prod production --target=prod*')],
    because: 'It works on the production system.',
    instead: 'Use another target, or ask a person to run it.',
    hits: ['dbt run --target prod', 'dbt build --target=production -s x'],
    misses: ['dbt run --target dev', 'dbt compile --target prod', 'dbt run -s prod_orders'],
  }),
  ask({
    name: 'image-bake',
    program: ['packer'],
    args: [['build']],
    because: 'It creates machines and images in a cloud account.',
    instead: 'Use `packer validate`, and ask a person to build.',
    hits: ['packer build x.pkr.hcl'],
    misses: ['packer validate x.pkr.hcl', 'packer fmt .'],
  }),
  ask({
    name: 'linked-reset',
    program: ['supabase'],
    args: ['reset', ['--linked', '--db-url*']],
    because: GONE,
    instead: TESTED,
    hits: ['supabase db reset --linked'],
    misses: ['supabase db reset', 'supabase db dump --linked'],
  }),
  ask({
    name: 'framework-reset',
    program: ['python*', 'php*'],
    args: [
      ['*manage.py', '*artisan'],
      ['flush', 'reset_db', 'migrate:fresh', 'migrate:reset', 'migrate:refresh', 'db:wipe'],
    ],
    because: GONE,
    instead: TESTED,
    hits: ['python manage.py flush --no-input', 'php artisan migrate:fresh'],
    misses: ['python manage.py migrate', 'php artisan migrate', 'python x.py flush'],
  }),
]
