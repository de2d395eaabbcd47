# SPDX-License-Identifier: Apache-2.0
#
# Synthesises the core out of context, implements it and writes reports; without a project.
#
#   vivado -mode batch -source vivado/build.tcl [-tclargs OPTION...]
#
#   -part PART        instead of the part in settings.tcl
#   -period NS        instead of the clock period in settings.tcl
#   -until STAGE      synth: synthesis alone; route (default): placed and routed
#   -output DIR       for reports and checkpoints; default: the folder `reports` beside this script
#   -power            a power report too
#
# Exit 0: built, 2: a wrong option, 3: a missing source, or a step that failed.

proc stop {code sentence} {
  puts stderr "build.tcl: $sentence"
  exit $code
}

# A step of the flow; its error ends the script with one sentence.
proc step {what args} {
  if {[catch {uplevel #0 $args} message]} {
    stop 3 "$what failed: $message"
  }
}

# Timing and utilisation as they are after a stage.
proc write_reports {stage output} {
  step "the timing report" report_timing_summary -file [file join $output $stage.timing.rpt]
  step "the utilisation report" report_utilization -file [file join $output $stage.utilization.rpt]
  step "the report by instance" report_utilization -hierarchical -hierarchical_depth 8 \
    -file [file join $output $stage.hierarchy.rpt]
  step "the checkpoint" write_checkpoint -force [file join $output $stage.dcp]
}

set here [file dirname [file normalize [info script]]]
set root [file dirname $here]
set settings [file join $here settings.tcl]
if {![file isfile $settings]} {
  stop 3 "$settings is missing"
}
source $settings

set output [file join $here reports]
set until route
set power 0
while {[llength $argv] > 0} {
  set argv [lassign $argv option]
  if {$option eq "-power"} {
    set power 1
  } elseif {$option ni {-part -period -until -output}} {
    stop 2 "there is no option $option"
  } elseif {[llength $argv] == 0} {
    stop 2 "$option needs a value"
  } else {
    set argv [lassign $argv [string range $option 1 end]]
  }
}
if {$until ni {synth route}} {
  stop 2 "-until is $until and should be synth or route"
}
if {![string is double -strict $period] || $period <= 0} {
  stop 2 "-period is $period and should be a time in nanoseconds"
}
set output [file normalize $output]
foreach source $sources {
  if {![file isfile [file join $root $source]]} {
    stop 3 "[file join $root $source] is missing"
  }
}

set xdc [file join $output clock.xdc]
if {[catch {
  file mkdir $output
  set stream [open $xdc w]
  if {$clock eq {}} {
    puts $stream "set_max_delay $period -from \[all_inputs\] -to \[all_outputs\]"
  } else {
    puts $stream "create_clock -name clock -period $period \[get_ports {$clock}\]"
  }
  close $stream
} message]} {
  stop 3 "$output cannot be written: $message"
}

step "making the project" create_project -in_memory -part $part
foreach source $sources {
  set language [expr {[file extension $source] eq ".v" ? {} : {-sv}}]
  step "reading $source" read_verilog {*}$language [file join $root $source]
}
step "reading the clock" read_xdc -mode out_of_context $xdc

set overrides {}
foreach generic $generics {
  lappend overrides -generic $generic
}
set folders {}
foreach folder $include {
  lappend folders [file join $root $folder]
}
set macros {}
if {[info exists defines]} {
  foreach define $defines {
    lappend macros -verilog_define $define
  }
}
step "synthesis" synth_design -top $top -part $part -mode out_of_context \
  -include_dirs $folders {*}$macros {*}$overrides
write_reports synth $output

if {$until eq "route"} {
  step "optimisation" opt_design
  step "placement" place_design
  step "physical optimisation" phys_opt_design
  step "routing" route_design
  write_reports route $output
}
if {$power} {
  step "the power report" report_power -file [file join $output power.rpt]
}
puts "build.tcl: reports are in $output"
exit 0
