# What PSScriptAnalyzer checks: every default rule, the one-true-brace preset, and Windows PowerShell 5.1.
@{
    Severity = @('Error', 'Warning')
    Rules    = @{
        PSPlaceOpenBrace           = @{
            Enable             = $true
            OnSameLine         = $true
            NewLineAfter       = $true
            IgnoreOneLineBlock = $true
        }
        PSPlaceCloseBrace          = @{
            Enable             = $true
            NewLineAfter       = $false
            IgnoreOneLineBlock = $true
            NoEmptyLineBefore  = $false
        }
        PSUseConsistentIndentation = @{
            Enable              = $true
            Kind                = 'space'
            PipelineIndentation = 'IncreaseIndentationForFirstPipeline'
            IndentationSize     = 4
        }
        PSUseConsistentWhitespace  = @{
            Enable          = $true
            CheckInnerBrace = $true
            CheckOpenBrace  = $true
            CheckOpenParen  = $true
            CheckOperator   = $true
            CheckPipe       = $true
            CheckSeparator  = $true
            # Aligned in tables.
            IgnoreAssignmentOperatorInsideHashTable = $true
        }
        PSAlignAssignmentStatement = @{
            Enable         = $true
            CheckHashtable = $true
        }
        # The commands hand their body to it.
        PSReviewUnusedParameter    = @{ CommandsToTraverse = @('Invoke-NodeRun') }
        PSUseCorrectCasing         = @{ Enable = $true }
        PSUseCompatibleSyntax      = @{
            Enable         = $true
            TargetVersions = @('5.1', '7.0')
        }
        PSUseCompatibleCommands    = @{
            Enable         = $true
            TargetProfiles = @('win-48_x64_10.0.17763.0_5.1.17763.316_x64_4.0.30319.42000_framework')
            # Server's own, which the profile of a client does not list.
            IgnoreCommands = @(
                'Get-WindowsFeature', 'Install-WindowsFeature', 'Uninstall-WindowsFeature',
                'Get-HnsNetwork', 'Remove-HnsNetwork', 'Get-HnsEndpoint', 'Remove-HnsEndpoint',
                'Get-HnsPolicyList', 'Remove-HnsPolicyList',
                # Of the feature Hyper-V-PowerShell.
                'Get-VMSwitch', 'Remove-VMNetworkAdapter', 'Remove-VMSwitch',
                # Of hns.psm1, which a step downloads.
                'Invoke-HNSRequest',
                # Of AWS Tools for PowerShell, in the images of Amazon.
                'Complete-ASLifecycleAction', 'Get-EC2InstanceMetadata', 'Get-SSMParameter'
            )
        }
        PSAvoidLongLines           = @{
            Enable            = $true
            MaximumLineLength = 115
        }
    }
}
